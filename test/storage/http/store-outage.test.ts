import { expect, test } from "vitest";
import { memoryJournalStore } from "../../../src/gateway/adapters/memory-journal-store.ts";
import { StoreOutage, UnwritableJournal } from "../../../src/gateway/ports/journal-store.ts";
import { callGateway, VALID_AIRTIME } from "../../support/gateway/gateway-client.ts";
import { startTestSandbox } from "../../support/sandbox.ts";

test("a store that cannot write is said by /readyz, answered 503, reported once, and forgotten when it can again", async () => {
  const memory = memoryJournalStore();
  const outages: StoreOutage[] = [];
  const store = {
    ...memory,
    append: (...given: Parameters<typeof memory.append>) =>
      outages[0] === undefined ? memory.append(...given) : throwIt(outages[0]),
    outage: () => outages[0],
  };
  await using sandbox = await startTestSandbox({}, { store });
  outages.push(new StoreOutage("kredo.db cannot be written (disk full)"));

  const during = [
    await callGateway(sandbox, { body: VALID_AIRTIME }),
    await callGateway(sandbox, { body: VALID_AIRTIME }),
  ];
  const reported = sandbox.faults.length;
  const readiness = await sandbox.running.fetch(new Request("http://localhost/readyz"));
  const control = await sandbox.running.fetch(
    new Request("http://localhost/__admin/accounts/default/reset", { method: "POST" }),
  );
  outages.pop();
  const after = await callGateway(sandbox, { body: VALID_AIRTIME });
  const ready = await sandbox.running.fetch(new Request("http://localhost/readyz"));

  expect(during.map(({ status }) => status)).toEqual([503, 503]);
  expect({ status: readiness.status, text: await readiness.text() }).toEqual({
    status: 503,
    text: "kredo.db cannot be written (disk full)\n",
  });
  expect(control.status).toBe(503);
  expect({ reported, faults: sandbox.faults.length }).toEqual({ reported: 1, faults: 1 });
  expect({ after: after.status, ready: ready.status }).toEqual({ after: 200, ready: 200 });
});

test("an order and a call that were surely not carried out are told so with 503, and other accounts are answered", async () => {
  const memory = memoryJournalStore();
  const unwritable = new Set<string>();
  const secured = async (account: string): Promise<void> => {
    if (unwritable.has(account)) throw new UnwritableJournal(account, "its database refuses it");
    await memory.secured(account);
  };
  await using sandbox = await startTestSandbox({}, { store: { ...memory, secured } });
  const call = (path: string, body: string): Promise<Response> =>
    sandbox.running.fetch(
      new Request(`http://localhost/__admin/accounts${path}`, { method: "POST", body, headers: JSON_TYPE }),
    );
  const opened = await call("", '{"consumer_key":"other"}');
  unwritable.add(sandbox.account.consumerKey);

  const order = await callGateway(sandbox, { body: VALID_AIRTIME });
  const topUp = await call("/default/wallet/top-ups", '{"amount":"10"}');
  const other = await call("/other/wallet/top-ups", '{"amount":"10"}');

  expect([opened, order, topUp, other].map(({ status }) => status)).toEqual([201, 503, 503, 200]);
  expect(topUp.headers.get("retry-after")).toBe("1");
  expect(await topUp.json()).toMatchObject({ problem: expect.stringContaining("its database refuses it") });
});

const JSON_TYPE = { "content-type": "application/json" };

function throwIt(outage: StoreOutage): never {
  throw outage;
}
