import { expect, test } from "vitest";
import { createSandbox, type Sandbox } from "../../../src/index.ts";

/** More than the control API returns at once to the client. */
const ORDERS = 1_050;

test("every list is whole, also where the control API returns it in pages", async () => {
  await using sandbox = await createSandbox({ clock: "manual", seed: 1, accounts: [{ balance: "100000.00" }] });
  await sandbox.callbacks.set({ sms: "kredo:sink" });
  await Promise.all(Array.from({ length: ORDERS }, (_, place) => sendSms(sandbox, `Order ${place}`)));
  await sandbox.clock.advance("1h");

  const [transactions, requests, messages, sent, received, ledger] = await Promise.all([
    sandbox.transactions(),
    sandbox.requests.list(),
    sandbox.messages.list(),
    sandbox.callbacks.sent(),
    sandbox.callbacks.received(),
    sandbox.wallet.ledger(),
  ]);

  expect({
    transactions: new Set(transactions.map(({ request_id }) => request_id)).size,
    requests: new Set(requests.map(({ request_id }) => request_id)).size,
    messages: new Set(messages.map(({ message }) => message)).size,
    sent: new Set(sent.map(({ request_id }) => request_id)).size,
    received: new Set(received.map(({ request_id }) => request_id)).size,
    ledger: ledger.length,
  }).toEqual({
    transactions: ORDERS,
    requests: ORDERS,
    messages: ORDERS,
    sent: ORDERS,
    received: ORDERS,
    // The opening; a hold, a release and a charge of each.
    ledger: 1 + 3 * ORDERS,
  });
  expect(ledger.at(-1)?.balance).toBe((await sandbox.wallet.read()).ledger);
});

test("every list gives the first rows alone if that is asked for", async () => {
  await using sandbox = await createSandbox({ clock: "manual", seed: 1 });
  await sandbox.callbacks.set({ sms: "kredo:sink" });
  for (const message of ["One", "Two", "Three"]) await sendSms(sandbox, message);
  await sandbox.clock.advance("1h");

  const lists = await Promise.all([
    sandbox.transactions({ limit: 2 }),
    sandbox.requests.list({ operation: "sms", limit: 2 }),
    sandbox.messages.list("254712345678", { limit: 2 }),
    sandbox.callbacks.sent({ limit: 2 }),
    sandbox.callbacks.received({ limit: 2 }),
    sandbox.wallet.ledger({ limit: 2 }),
  ]);

  expect(lists.map(({ length }) => length)).toEqual([2, 2, 2, 2, 2, 2]);
  expect(lists[0].map(({ message }) => message)).toEqual(["Three", "Two"]);
  await expect(sandbox.transactions({ limit: 0 })).rejects.toThrow(
    'limit: "0" is not a number of rows from 1 to 10000',
  );
});

async function sendSms(sandbox: Sandbox, message: string): Promise<void> {
  const response = await sandbox.fetch("/api/v2/sms", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ phone_number: "254712345678", message, sender_id: "SANDBOX" }),
  });
  expect(response.status).toBe(200);
}
