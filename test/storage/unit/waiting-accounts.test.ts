import { expect, test } from "vitest";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { messageOf } from "../../../src/gateway/domain/message-of.ts";
import { StoreOutage } from "../../../src/gateway/ports/journal-store.ts";
import { toppedUp } from "../../support/finding-events.ts";
import { allReady } from "../../support/gateway/turns.ts";
import { buyAirtime, callbacksTo } from "../../support/gateway/world.ts";
import { LEASE, TestReplicas } from "../../support/replica-worlds.ts";

const real = {
  clock: { mode: "real" },
  callbacks: callbacksTo("http://receiver.test/hook"),
  balance: cents(100_000_000),
} as const;

test("a replica that stops takes no account any more", async () => {
  const replicas = new TestReplicas();
  const [a, b] = [await replicas.add("a"), await replicas.add("b")];
  const account = await a.open({ consumer_key: "x", ...real });
  account.holdCallbacks(buyAirtime(account, 10));

  const left = a.replica.leave();
  const claimed = await a.ownership.claim("y").catch((fault: unknown) => fault);
  await replicas.pass(LEASE * 4);
  await left;

  expect(claimed).toEqual(new StoreOutage("this replica is stopping; ask another one"));
  expect(b.ownership.waiting()).toEqual([]);
});

test("a replica that joined while others were being asked for is not taken for gone until it is missing once more", async () => {
  const replicas = new TestReplicas();
  const a = await replicas.add("a");
  replicas.wall.advance(LEASE / 4);
  const lease = a.ownership.leaseOf({ id: "new", url: "http://new.test" });

  await allReady();
  const before = lease.aborted;
  await replicas.pass(LEASE / 4);

  expect({ before, aborted: lease.aborted }).toEqual({ before: false, aborted: true });
});

test("an observer of accounts is told when another replica opens one, and nothing when none changed or after it stops", async () => {
  const replicas = new TestReplicas();
  const [a, b] = [await replicas.add("a"), await replicas.add("b")];
  await replicas.pass(LEASE);
  let told = 0;
  const end = b.ownership.observeAccounts(() => (told += 1));

  await replicas.pass(LEASE);
  const unchanged = told;
  await a.open({ consumer_key: "x", ...real });
  await replicas.pass(LEASE / 4);
  const opened = told;
  end();
  await a.open({ consumer_key: "y", ...real });
  await replicas.pass(LEASE);

  expect({ unchanged, opened, told }).toEqual({ unchanged: 0, opened: 1, told: 1 });
});

test("an account waits, with the reason, until a replica has taken it over", async () => {
  const replicas = new TestReplicas();
  const [a, b] = [await replicas.add("a"), await replicas.add("b")];
  await b.open({ consumer_key: "w", ...real });
  await a.open({ consumer_key: "x", ...real });
  const seen: unknown[] = [];
  b.ownership.observeAccounts(() => seen.push(b.ownership.waiting()));
  await replicas.pass(LEASE / 4);
  seen.length = 0;
  b.trouble.grantsNothing = true;
  a.kill();

  await replicas.pass(LEASE * 2);
  const waiting = b.ownership.waiting();
  b.trouble.grantsNothing = false;
  await replicas.pass(LEASE / 4);

  const [reason, failed] = ["its owner is gone, and no other replica has taken it over yet", "no account is granted"];
  expect(seen[0]).toEqual([
    { account: ":sandbox", reason },
    { account: "x", reason },
  ]);
  expect(waiting).toEqual([
    { account: ":sandbox", reason: failed },
    { account: "x", reason: failed },
  ]);
  expect(b.ownership.waiting()).toEqual([]);
  expect(b.log).toEqual(["took over 2 accounts"]);
  expect(b.faults).toEqual([]);
});

test("an inconsistent journal is released and reported once, and other accounts are taken over", async () => {
  const replicas = new TestReplicas();
  const engine = replicas.memory.engine();
  await engine.join({ id: "gone", url: "" }, Number.MAX_SAFE_INTEGER);
  const acquired = await engine.acquire("broken", { create: true });
  const grant = acquired.kind === "granted" ? acquired.grant : throwIt(acquired);
  await engine.flush([{ kind: "append", grant, after: 0, last: 1, events: [toppedUp(1, 100)] }]);
  const [a, b] = [await replicas.add("a"), await replicas.add("b")];
  await b.open({ consumer_key: "x", ...real });
  await engine.leave();
  b.kill();

  await replicas.pass(LEASE * 3);

  expect(a.log).toEqual(["took over 1 account"]);
  expect(a.faults).toHaveLength(1);
  expect(a.ownership.waiting()).toEqual([{ account: "broken", reason: messageOf(a.faults[0]) }]);
  expect(a.world.find("broken")).toBeUndefined();
  expect(a.world.find("x")).toBeDefined();
  expect((await engine.heartbeat()).accounts).toContainEqual({ account: "broken", owner: undefined });
});

function throwIt(found: object): never {
  throw new Error(JSON.stringify(found));
}
