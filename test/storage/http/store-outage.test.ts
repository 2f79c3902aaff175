import { expect, test } from "vitest";
import { memoryJournalStore } from "../../../src/gateway/adapters/memory-journal-store.ts";
import { StoreOutage } from "../../../src/gateway/ports/journal-store.ts";
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

function throwIt(outage: StoreOutage): never {
  throw outage;
}
