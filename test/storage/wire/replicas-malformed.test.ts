import { EventEmitter, once } from "node:events";
import { expect, test } from "vitest";
import { configSchema } from "../../../src/config.ts";
import { StoreOutage } from "../../../src/gateway/ports/journal-store.ts";
import { startSandbox } from "../../../src/sandbox.ts";
import { REFUSALS, refusalsAt } from "../../support/gateway/malformed-messages.ts";
import { RawClient } from "../../support/gateway/raw-client.ts";
import { MemoryJournals } from "../../support/memory-journals.ts";
import { startSharedReplicas } from "../../support/replicas.ts";

test("every replica refuses malformed messages as a single process does, whoever owns the journal of requests without an account", async () => {
  await using group = await startSharedReplicas(3);

  for (const replica of group.replicas) expect(await refusalsAt(replica)).toEqual(REFUSALS);

  expect(group.faults()).toEqual([]);
});

test("a replica that has handed its accounts over, and still listens, refuses them as before", async () => {
  await using group = await startSharedReplicas(2);
  await group.first.running.leave();
  await group.second.running.leave();

  expect(await refusalsAt(group.first)).toEqual(REFUSALS);
  expect(await refusalsAt(group.second)).toEqual(REFUSALS);
  expect(group.faults().filter(isUnexpected)).toEqual([]);
});

test("a replica that listens and has not joined the others yet refuses them", async () => {
  const engine = new MemoryJournals(() => 0).engine();
  const database = new EventEmitter();
  const faults: unknown[] = [];
  const join: typeof engine.join = async ({ url }) => {
    database.emit("asked", Number(new URL(url).port));
    await once(database, "gone");
    throw new Error("the database is gone");
  };
  const sandbox = await startSandbox(configSchema.parse({}), {
    report: (fault) => `report-${faults.push(fault)}`,
    replica: { engine: { ...engine, join }, lease: 2_000, patience: 2_000, log: () => {} },
  });
  const asked = once(database, "asked");
  const started = sandbox.listen({ port: 0, host: "127.0.0.1" });
  const [port] = await asked;

  const refusals = await refusalsAt({ connect: () => RawClient.connect(port) });
  database.emit("gone");
  await expect(started).rejects.toThrow("the database is gone");
  await sandbox.close();

  expect(refusals).toEqual(REFUSALS);
  expect(faults.filter(isUnexpected)).toEqual([]);
});

/** Some messages begin like an order, for which there is no owner. */
function isUnexpected(fault: unknown): boolean {
  return !(fault instanceof StoreOutage);
}
