import { expect, test } from "vitest";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { UnwritableJournal } from "../../../src/gateway/ports/journal-store.ts";
import { TestReplicas } from "../../support/replica-worlds.ts";
import { buyAirtime, callbacksTo } from "../../support/gateway/world.ts";

const callbacks = callbacksTo("http://receiver.test/hook");
const real = { clock: { mode: "real" }, callbacks, balance: cents(100_000_000) } as const;

test("gives up an account whose journal cannot be written, says why once, and the next takeover continues it", async () => {
  const replicas = new TestReplicas();
  const a = await replicas.add("a");
  const [x, y] = [await a.open({ consumer_key: "x", ...real }), await a.open({ consumer_key: "y", ...real })];
  buyAirtime(x, 10);
  await x.journal.secured();
  replicas.memory.loseLast("x");

  buyAirtime(x, 20);
  buyAirtime(y, 30);
  const told = await Promise.allSettled([x.journal.secured(), y.journal.secured()]);
  const owner = await a.ownership.ownerOf("x");
  buyAirtime(a.world.get("x"), 40);
  await a.world.get("x").journal.secured();

  expect(told).toEqual([
    { status: "rejected", reason: expect.any(UnwritableJournal) },
    { status: "fulfilled", value: undefined },
  ]);
  expect(owner).toEqual({ kind: "self" });
  expect({ x: a.world.get("x").state.requests, y: y.state.requests }).toEqual({ x: 1, y: 1 });
  expect(a.log).toEqual(["the journal of x cannot be written: it is at event 1"]);
  expect(a.faults).toEqual([]);
});

test("gives up an account whose journal cannot be written only once its clients have their acknowledgments", async () => {
  const replicas = new TestReplicas();
  const a = await replicas.add("a");
  const account = await a.open({ consumer_key: "x", ...real });
  const waiting = buyAirtime(account, 10);
  account.holdCallbacks(waiting);
  await account.journal.secured();
  replicas.memory.refuse("topped-up");

  await replicas.pass(100);
  account.journal.append((_state, at) => [{ kind: "topped-up", at, amount: cents(100) }]);
  const told = await account.journal.secured().catch((fault: unknown) => fault);
  await replicas.pass(20_000);
  const during = { owns: a.world.find("x") !== undefined, sent: a.sent.length };
  account.releaseCallbacks(waiting);
  await replicas.pass(20_000);

  expect(told).toBeInstanceOf(UnwritableJournal);
  expect(during).toEqual({ owns: false, sent: 0 });
  expect({ owns: a.world.find("x") !== undefined, sent: a.sent.length }).toEqual({ owns: true, sent: 1 });
});

test("leaves an account whose journal cannot be written to any replica, and says so once however often it is taken", async () => {
  const replicas = new TestReplicas();
  const a = await replicas.add("a");
  const account = await a.open({ consumer_key: "x", ...real });
  buyAirtime(account, 10);
  await account.journal.secured();
  replicas.memory.refuse("settled");

  await replicas.pass(30_000);

  expect(a.log.filter((line) => !line.startsWith("took over"))).toEqual([
    "the journal of x cannot be written: its database refuses it",
  ]);
  expect(a.sent).toEqual([]);
});
