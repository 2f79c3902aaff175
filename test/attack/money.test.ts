import fc from "fast-check";
import { expect, test } from "vitest";
import { callGateway } from "../support/gateway/gateway-client.ts";
import { startTestSandbox, type TestSandbox } from "../support/sandbox.ts";
import { SEED } from "./seed.ts";

test("of 1,000 parallel orders exactly those are accepted that the wallet pays for", async () => {
  await using sandbox = await startTestSandbox({ accounts: [{ balance: "5000" }] });
  const orders = Array.from({ length: 1_000 }, (_, index) => ({
    phone_number: `2547${12_000_000 + index}`,
    amount: "10",
  }));

  const answers = await Promise.all(orders.map((body) => callGateway(sandbox, { body })));

  const { wallet } = sandbox.account.state;
  const accepted = answers.filter(({ status }) => status === 200).length;
  expect(answers.filter(({ status }) => status !== 200 && status !== 402)).toEqual([]);
  expect(wallet.balance - wallet.held).toBeGreaterThanOrEqual(0);
  expect((accepted + 1) * Math.round(wallet.held / accepted)).toBeGreaterThan(wallet.balance);
});

const operation = fc.oneof(
  fc.record({ kind: fc.constant("order" as const), amount: fc.integer({ min: 5, max: 500 }) }),
  fc.record({ kind: fc.constant("top up" as const), amount: fc.integer({ min: 1, max: 1_000 }) }),
  fc.record({ kind: fc.constant("advance" as const), amount: fc.integer({ min: 1, max: 20 }) }),
);

test("after each of 2,000 random operations the wallet pays its holds, and the ledger adds up at the end", async () => {
  await using sandbox = await startTestSandbox({ accounts: [{ balance: "1000" }] });
  const operations = fc.sample(operation, { seed: SEED, numRuns: 2_000 });
  const short: number[] = [];

  for (const one of operations) {
    await perform(sandbox, one);
    short.push(
      ...[sandbox.account.state.wallet]
        .filter(({ balance, held }) => balance < held || held < 0)
        .map(({ balance }) => balance),
    );
  }
  await perform(sandbox, { kind: "advance", amount: 86_400 });

  expect(short).toEqual([]);
  expect(sandbox.account.state.wallet.held).toBe(0);
  expect(sandbox.faults).toEqual([]);
});

async function perform(
  sandbox: TestSandbox,
  { kind, amount }: { kind: "order" | "top up" | "advance"; amount: number },
): Promise<void> {
  if (kind === "order") await callGateway(sandbox, { body: { phone_number: "254712345678", amount: String(amount) } });
  else if (kind === "advance") await sandbox.account.advance({ by: amount * 1_000 }, 5_000);
  else await control(sandbox, "/accounts/default/wallet/top-up", { amount: String(amount) });
}

async function control({ running }: TestSandbox, path: string, body: object): Promise<void> {
  const headers = { "content-type": "application/json" };
  await running.fetch(
    new Request(`http://localhost/__admin${path}`, { method: "POST", headers, body: JSON.stringify(body) }),
  );
}
