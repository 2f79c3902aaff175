import { expect, test } from "vitest";
import { carriersOf } from "../../../src/gateway/account/state.ts";
import { memoryJournalStore } from "../../../src/gateway/adapters/memory-journal-store.ts";
import { SANDBOX_JOURNAL } from "../../../src/gateway/engine/world.ts";
import { type JournalStore, NotTheOwner } from "../../../src/gateway/ports/journal-store.ts";
import { registerSenderId } from "../../../src/gateway/engine/commands.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { DAY } from "../../../src/gateway/domain/time.ts";
import { lastingStore, leftIn, restarted } from "../../support/gateway/restart.ts";
import { allReady } from "../../support/gateway/turns.ts";
import {
  accountSettings,
  buyAirtime,
  callbacksTo,
  refuseRequest,
  testWorld,
  WALL_START,
} from "../../support/gateway/world.ts";

const real = { clock: { mode: "real" }, callbacks: callbacksTo("http://receiver.test/hook") } as const;

test("an account that another replica continues is gone, with its timers and whoever waits for it", async () => {
  const { world, account, wall, sent } = testWorld({ account: real });
  const { requestId } = buyAirtime(account, 10);
  const closed: string[] = [];
  account.whenClosed(() => closed.push("closed"));
  account.whenClosed(() => closed.push("cancelled"))();
  const waiting = account.until(() => false, 60_000).catch((problem: unknown) => problem);
  const { isWaitedFor } = account;

  void world.release("sandbox-key");
  wall.advance(60_000);
  await allReady();

  expect(await waiting).toBeInstanceOf(NotTheOwner);
  expect(isWaitedFor).toBe(true);
  expect({ found: world.find("sandbox-key"), world: world.list(), pending: world.pending }).toEqual({
    found: undefined,
    world: [],
    pending: 0,
  });
  expect(account.state.transactions.get(requestId)?.progress.state).toBe("queued");
  expect({ sent, closed }).toEqual({ sent: [], closed: ["closed"] });
});

test("work that another replica has taken over is no fault", async () => {
  const memory = memoryJournalStore();
  const append: JournalStore["append"] = (name, events) => {
    if (events[0]?.kind === "settled") throw new NotTheOwner(name);
    memory.append(name, events);
  };
  const { account, wall, faults } = testWorld({ account: real, store: { ...memory, append } });
  const { requestId } = buyAirtime(account, 10);

  wall.advance(1_000);

  expect(account.state.transactions.get(requestId)?.progress.state).toBe("queued");
  expect(faults).toEqual([]);
});

test("releasing an account that is not here changes nothing", () => {
  const { world, account } = testWorld();

  void world.release("nobody");

  expect(world.list()).toEqual([account]);
  expect(world.sandbox.consumerKey).toBe(SANDBOX_JOURNAL);
});

test("the journal of requests without an account is released and taken over like an account", () => {
  const store = lastingStore();
  const before = testWorld({ store });
  refuseRequest(before.world.sandbox, 401);
  const { stored } = leftIn(store);
  const { world } = testWorld();

  void world.release(SANDBOX_JOURNAL);
  expect(() => world.sandbox).toThrow(NotTheOwner);
  stored.filter(({ consumerKey }) => consumerKey === SANDBOX_JOURNAL).forEach((one) => world.takeOver(one));

  expect(world.sandbox.state.requests).toBe(1);
  expect(world.list()).toHaveLength(1);
});

test.each([
  ["goes on at once where the world is awake", true, "succeeded"],
  ["sleeps until the world is awake", false, "queued"],
])("an account that is taken over %s", async (_what, isAwake, state) => {
  const store = lastingStore();
  const before = testWorld({ store, account: { ...real, consumer_key: "moved" } });
  const { requestId } = buyAirtime(before.account, 10);
  const { stored } = leftIn(store);
  const { world, wall } = testWorld({ startAt: WALL_START + 5_000 });
  const wakings = isAwake ? [world] : [];
  wakings.forEach((one) => one.wake());

  stored.filter(({ consumerKey }) => consumerKey === "moved").forEach((one) => world.takeOver(one));
  wall.advance(1_000);
  await allReady();

  expect(world.get("moved").state.transactions.get(requestId)?.progress.state).toBe(state);
  expect(world.list().map(({ consumerKey }) => consumerKey)).toEqual(["sandbox-key", "moved"]);
});

test("work on one account stops without the others", async () => {
  const { world, account, wall } = testWorld({ account: real });
  const other = world.open(accountSettings({ ...real, consumer_key: "other" }));
  const orders = [buyAirtime(account, 10), buyAirtime(other, 10)].map(({ requestId }) => requestId);

  await other.stopWork(1_000);
  wall.advance(1_000);
  await allReady();

  expect(
    [account, other].map(({ state }, index) => state.transactions.get(orders[index] ?? "")?.progress.state),
  ).toEqual(["succeeded", "queued"]);
});

test("hands out the journals of all accounts for another process", () => {
  const { world, account } = testWorld();
  buyAirtime(account, 10);
  world.open(accountSettings({ consumer_key: "other" }));

  const journals = world.journals();

  expect(journals.map(({ consumerKey, journal }) => [consumerKey, journal.events.map(({ kind }) => kind)])).toEqual([
    ["sandbox-key", ["opened", "accepted"]],
    ["other", ["opened"]],
  ]);
});

test("a sender ID that was submitted before a restart is decided after it", async () => {
  const store = lastingStore();
  const before = testWorld({ store, account: { balance: cents(100_000_000) } });
  registerSenderId(before.account, { senderId: "MFANO", carriers: ["airtel", "telkom"] });
  await before.account.advance({ by: DAY }, 0);

  const { account } = restarted(store);
  account.wake();
  const pending = account.pending().map(({ task }) => task.kind);
  await account.advance({ by: 60 * DAY }, 0);

  expect(pending).toEqual(["decide-sender-id", "decide-sender-id"]);
  expect(carriersOf(account.state, "MFANO").toSorted()).toEqual(["airtel", "telkom"]);
  expect(account.pending()).toEqual([]);
});
