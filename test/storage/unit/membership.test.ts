import { expect, test } from "vitest";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { NotTheOwner, StoreOutage } from "../../../src/gateway/ports/journal-store.ts";
import { LEASE, PATIENCE, TestReplicas } from "../../support/replica-worlds.ts";
import { buyAirtime, callbacksTo, WALL_START } from "../../support/gateway/world.ts";

const callbacks = callbacksTo("http://receiver.test/hook");
const real = { clock: { mode: "real" }, callbacks, balance: cents(100_000_000) } as const;

test("takes over from a replica that is gone, and its callbacks go out without a request", async () => {
  const replicas = new TestReplicas();
  const [a, b] = [await replicas.add("a"), await replicas.add("b")];
  const account = await a.open({ consumer_key: "x", ...real });
  const { requestId } = buyAirtime(account, 10);
  await account.journal.secured();
  a.kill();

  await replicas.pass(LEASE + LEASE / 4);
  await replicas.pass(20_000);

  expect(b.log).toEqual([expect.stringMatching(/^took over \d accounts?$/)]);
  expect(b.sent).toHaveLength(1);
  expect(b.world.get("x").state.transactions.get(requestId)?.progress).toMatchObject({
    state: "succeeded",
    attempts: [{ attempt: 1 }],
  });
  expect(a.sent).toEqual([]);
  expect(b.faults).toEqual([]);
});

test.each([
  ["scaled", { mode: "scaled", scale: 60, start: WALL_START }, 60],
  ["manual", { mode: "manual", start: WALL_START }, 0],
] as const)("a %s clock shows at the next owner what it would show at the last", async (_, clock, scale) => {
  const replicas = new TestReplicas();
  const [a, b] = [await replicas.add("a"), await replicas.add("b")];
  const account = await a.open({ consumer_key: "x", ...real, clock });
  if (scale === 0) await account.advance({ by: 600_000 }, 1_000);
  await account.journal.secured();
  await replicas.pass(10_000);
  const before = account.now();
  a.kill();

  await replicas.pass(LEASE * 2);

  expect(b.world.get("x").now()).toBe(before + LEASE * 2 * scale);
  expect(before).toBe(WALL_START + (scale === 0 ? 600_000 : 10_000 * scale));
});

test("a replica that is cut off stops before its lease ends, says so once, and goes on when it is back", async () => {
  const replicas = new TestReplicas();
  const a = await replicas.add("a");
  const account = await a.open({ consumer_key: "x", ...real });
  a.trouble.isAway = true;

  await replicas.pass(LEASE);
  const refused = [() => a.ownership.ownerOf("x"), () => buyAirtime(account, 10)].map((call) => catchFault(call));
  const version = account.journal.version;
  a.trouble.isAway = false;
  await replicas.pass(LEASE);

  expect(refused).toEqual([expect.any(StoreOutage), expect.any(StoreOutage)]);
  expect(version).toBe(1);
  expect(a.log).toEqual([
    expect.stringContaining("cannot renew its lease (the engine is away)"),
    "this replica has renewed its lease",
  ]);
  expect(await a.ownership.ownerOf("x")).toEqual({ kind: "self" });
  buyAirtime(account, 10);
  await account.journal.secured();
});

test("an import of an account that exists is skipped, and said in the log", async () => {
  const replicas = new TestReplicas();
  const a = await replicas.add("a");
  const account = await a.open({ consumer_key: "x", ...real });
  buyAirtime(account, 10);
  const { events } = account.journal.read();
  await account.journal.secured();

  const b = await replicas.add("b", [
    { consumerKey: "x", events },
    { consumerKey: "y", events },
  ]);

  expect(b.log).toEqual([
    "the account x is not imported, because the database already has it; delete it first, or use another database",
  ]);
  expect(b.world.find("y")?.state.requests).toBe(1);
});

test("what is asked while the database is silent waits undecided, is told so after the wait, and goes on with the first answer", async () => {
  const replicas = new TestReplicas();
  const a = await replicas.add("a");
  await a.open({ consumer_key: "x", ...real });
  a.trouble.hangs = true;
  await replicas.pass(LEASE / 4 + 300);
  const told: unknown[] = [];
  const ask = (): void =>
    void Promise.resolve(a.ownership.ownerOf("x")).then(
      (owner) => told.push(owner),
      (fault) => told.push(fault),
    );

  ask();
  await replicas.pass(PATIENCE - 400);
  const early = [...told];
  await replicas.pass(200);
  const late = [...told, catchFault(() => a.ownership.ownerOf("x"))];

  expect(early).toEqual([]);
  expect(late).toEqual([new StoreOutage("PostgreSQL does not answer"), late[0]]);
});

test("what waits for a database that was silent for a moment is answered", async () => {
  const replicas = new TestReplicas();
  const a = await replicas.add("a");
  await a.open({ consumer_key: "x", ...real });
  a.trouble.holds = true;
  await replicas.pass(LEASE / 4 + 300);

  const asked = a.ownership.ownerOf("x");
  a.trouble.release();

  expect(await asked).toEqual({ kind: "self" });
});

test.each([1, 200])("a replica with %i accounts on a database that is silent stops in time", async (count) => {
  const replicas = new TestReplicas();
  const a = await replicas.add("a");
  for (let turn = 0; turn < count; turn += 1) await a.open({ consumer_key: `x${turn}`, ...real });
  a.trouble.hangs = true;
  let isOver = false;

  const leaving = a.replica.leave().then(() => (isOver = true));
  await replicas.pass(4_000);

  expect(isOver).toBe(true);
  await leaving;
});

test("a replica that stops hands its accounts over, and waits for callbacks that are on their way", async () => {
  const replicas = new TestReplicas();
  const [a, b] = [await replicas.add("a"), await replicas.add("b")];
  const account = await a.open({ consumer_key: "x", ...real });
  const accepted = buyAirtime(account, 10);
  account.holdCallbacks(accepted);
  const left = a.replica.leave();
  await replicas.pass(100);
  const before = await b.ownership.ownerOf("x");
  account.releaseCallbacks(accepted);

  await replicas.pass(LEASE);
  await left;

  expect(before).toEqual({ kind: "replica", ...a.ownership.self });
  expect(await b.ownership.ownerOf("x")).toEqual({ kind: "self" });
  expect(b.world.get("x").state.transactions.has(accepted.requestId)).toBe(true);
  expect(b.ownership.replicas().map(({ id }) => id)).toEqual([b.ownership.self.id]);
  expect([...a.faults, ...b.faults]).toEqual([]);
});

test("a request that comes while an account is handed over waits, and finds the new owner", async () => {
  const replicas = new TestReplicas();
  const a = await replicas.add("a");
  const account = await a.open({ consumer_key: "w", ...real });
  const last = await a.open({ consumer_key: "x", ...real });
  const accepted = buyAirtime(last, 10);
  last.holdCallbacks(accepted);
  const b = await replicas.add("b");
  await replicas.pass(LEASE / 2);

  const asked = a.ownership.ownerOf("x");
  last.releaseCallbacks(accepted);
  await replicas.pass(LEASE / 2);

  expect(asked).toBeInstanceOf(Promise);
  expect(await asked).toEqual({ kind: "replica", ...b.ownership.self });
  expect(account.state.requests).toBe(0);
});

test("an account that a call waits for stays where it is, and moves when that has its answer", async () => {
  const replicas = new TestReplicas();
  const a = await replicas.add("a");
  await a.open({ consumer_key: "w", ...real });
  const account = await a.open({ consumer_key: "x", ...real });
  buyAirtime(account, 10);
  const drained = account.drain(LEASE * 20);
  const b = await replicas.add("b");

  await replicas.pass(LEASE / 2);
  const during = await b.ownership.ownerOf("x");
  await replicas.pass(LEASE * 3);

  expect(during).toEqual({ kind: "replica", ...a.ownership.self });
  expect(await drained).toBe(true);
  expect(await b.ownership.ownerOf("x")).toEqual({ kind: "self" });
});

test("an account whose client waits for its acknowledgment longer than a handover may take goes on where it is, and moves later", async () => {
  const replicas = new TestReplicas();
  const a = await replicas.add("a");
  await a.open({ consumer_key: "w", ...real });
  const account = await a.open({ consumer_key: "x", ...real });
  const waiting = buyAirtime(account, 10);
  account.holdCallbacks(waiting);
  const b = await replicas.add("b");

  await replicas.pass(LEASE * 5);
  const { requestId } = buyAirtime(account, 20);
  await replicas.pass(LEASE * 15);
  const during = { owner: await b.ownership.ownerOf("x"), sent: a.sent.map(({ body }) => JSON.parse(body).request_id) };
  account.releaseCallbacks(waiting);
  await replicas.pass(LEASE);

  expect(during).toEqual({ owner: { kind: "replica", ...a.ownership.self }, sent: [requestId] });
  expect(a.sent).toHaveLength(2);
  expect(b.sent).toEqual([]);
  expect(await b.ownership.ownerOf("x")).toEqual({ kind: "self" });
});

test("a replica that stops sends calls that wait for an account to its next owner", async () => {
  const replicas = new TestReplicas();
  const [a] = [await replicas.add("a"), await replicas.add("b")];
  const account = await a.open({ consumer_key: "x", ...real });
  buyAirtime(account, 10);
  const drained = account.drain(LEASE * 20).catch((fault: unknown) => fault);

  const left = a.replica.leave();
  await replicas.pass(LEASE);
  await left;

  expect(await drained).toBeInstanceOf(NotTheOwner);
  await expect(account.drain(LEASE)).rejects.toThrow(NotTheOwner);
});

test("a replica that stops lets an advance end before it hands the account over", async () => {
  const replicas = new TestReplicas();
  const [a, b] = [await replicas.add("a"), await replicas.add("b")];
  const account = await a.open({ consumer_key: "x", ...real, clock: { mode: "manual", start: WALL_START } });
  const { requestId } = buyAirtime(account, 10);

  const advanced = account.advance({ by: 60_000 }, LEASE * 20);
  const left = a.replica.leave();
  await replicas.pass(LEASE);
  await left;

  expect(await advanced).toMatchObject({ isComplete: true, fired: [{ requestId }] });
  expect(b.world.get("x").now()).toBe(WALL_START + 60_000);
});

test("what another replica was asked ends when its lease is over, and not while it can renew it", async () => {
  const replicas = new TestReplicas();
  const [a, b] = [await replicas.add("a"), await replicas.add("b")];
  await replicas.pass(100);
  const lease = b.ownership.leaseOf(a.ownership.self);

  await replicas.pass(LEASE * 2);
  const before = lease.aborted;
  a.kill();
  await replicas.pass(LEASE);
  await replicas.pass(LEASE / 4);

  expect({ before, aborted: lease.aborted }).toEqual({ before: false, aborted: true });
  expect(b.faults).toEqual([]);
});

function catchFault(call: () => unknown): unknown {
  try {
    call();
    return undefined;
  } catch (fault) {
    return fault;
  }
}
