import { expect, test } from "vitest";
import { carriersOf } from "../../../src/gateway/account/state.ts";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { memoryJournalStore } from "../../../src/gateway/adapters/memory-journal-store.ts";
import { SINK_URL } from "../../../src/gateway/domain/callback-outcome.ts";
import {
  decideRegistration,
  registerSenderId,
  resend,
  setBalance,
  setClock,
} from "../../../src/gateway/engine/commands.ts";
import { DAY, HOUR } from "../../../src/gateway/domain/time.ts";
import { type JournalStore, StoreOutage } from "../../../src/gateway/ports/journal-store.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { retrying } from "../../support/gateway/steps.ts";
import { scriptedWorld } from "../../support/gateway/scripted.ts";
import { allReady } from "../../support/gateway/turns.ts";
import { buyAirtime, callbacksTo, testWorld, WALL_START } from "../../support/gateway/world.ts";

const callbacks = callbacksTo("http://receiver.test/hook");
const real = { clock: { mode: "real" }, callbacks } as const;

test.each([
  ["real", { mode: "real" }, 1_000],
  ["scaled to half speed", { mode: "scaled", scale: 0.5 }, 2_000],
  ["scaled to a thousand times the speed", { mode: "scaled", scale: 1_000 }, 1],
  ["scaled with a remainder", { mode: "scaled", scale: 0.7 }, 1_429],
] as const)("a second on a clock that is %s takes its wall time, to the millisecond", async (_name, clock, wait) => {
  const { account, wall, sent } = testWorld({ account: { clock, callbacks } });
  buyAirtime(account, 10);

  wall.advance(wait - 1);
  await allReady();
  const before = sent.length;
  wall.advance(1);
  await allReady();

  expect({ before, sent: sent.length }).toEqual({ before: 0, sent: 1 });
});

test("of 1,000 results that are due at once, some let what else has come go first", () => {
  const { account, wall } = testWorld({ account: { ...real, balance: cents(100_000_000) } });
  Array.from({ length: 1_000 }, (_, order) => buyAirtime(account, 10 + order));
  const seen: number[] = [];

  wall.after(1_000, () => wall.after(0, () => seen.push(account.state.settlements)));
  wall.advance(1_000);

  expect(seen).toEqual([expect.toSatisfy((settled: number) => settled > 0 && settled < 1_000)]);
  expect(account.state.settlements).toBe(1_000);
});

test("what is due in months happens then, and not after 25 days", async () => {
  const { account, wall } = testWorld({ account: { ...real, balance: cents(100_000_000) } });
  await setClock(account, { mode: "scaled", scale: 0.01 }, 0);
  registerSenderId(account, { senderId: "MFANO", carriers: ["airtel"] });

  wall.advance(199 * DAY);
  const before = carriersOf(account.state, "MFANO");
  wall.advance(301 * DAY);

  expect({ before, mfano: carriersOf(account.state, "MFANO") }).toEqual({ before: [], mfano: ["airtel"] });
});

test("what was under way on a manual clock goes on where the clock is made real time", async () => {
  const { account, wall, sent } = testWorld({ account: { callbacks } });
  buyAirtime(account, 10);
  await account.advance({ by: 400 }, 0);
  await setClock(account, { mode: "scaled", scale: 2 }, 0);

  wall.advance(299);
  await allReady();
  const before = sent.length;
  wall.advance(1);
  await allReady();

  expect({ before, sent: sent.length }).toEqual({ before: 0, sent: 1 });
});

test("nothing happens by itself once the clock is manual", async () => {
  const { account, wall, sent } = testWorld({ account: real });
  buyAirtime(account, 10);
  await setClock(account, { mode: "manual" }, 0);

  wall.advance(HOUR);
  await allReady();

  expect(sent).toEqual([]);
  expect(account.now()).toBe(WALL_START);
});

test("refuses 422 to make a clock real that is ahead of real time, or to set it back", async () => {
  const { account } = testWorld();
  await account.advance({ by: 1 }, 0);

  await expect(setClock(account, { mode: "real" }, 0)).rejects.toMatchObject({ kind: "invalid" });
  await expect(setClock(account, { mode: "manual", start: WALL_START }, 0)).rejects.toMatchObject({ kind: "invalid" });
});

test("moving a manual clock forward is an advance: what is due on the way happens at its moment", async () => {
  const { account } = testWorld({ account: { callbacks } });
  const { requestId } = buyAirtime(account, 10);

  await setClock(account, { mode: "manual", start: WALL_START + HOUR }, 0);

  expect(account.state.transactions.get(requestId)?.progress).toMatchObject({ attempts: [{ at: WALL_START + 1_000 }] });
  expect(account.now()).toBe(WALL_START + HOUR);
});

test("lists what is pending soonest first, whatever kind it is of", async () => {
  const { account } = await scriptedWorld(
    "timeline: [{ at: 2s, do: { rate_limit: none } }, { at: 10ms, do: { rate_limit: { requests: 9, per: 1s } } }]",
  );
  buyAirtime(account, 10);

  const pending = account.pending();

  expect(pending.map(({ at, task }) => [Number(at) - WALL_START, task.kind])).toEqual([
    [10, "step"],
    [1_000, "settle"],
    [2_000, "step"],
  ]);
});

test("lists what is pending once each, whatever was planned besides", async () => {
  const { account } = testWorld({ account: { callbacks: retrying(3) }, answer: () => ({ kind: "reset" }) });
  const { requestId } = buyAirtime(account, 10);
  await account.advance({ by: 1_000 }, 0);
  resend(account, [requestId]);
  await allReady();

  const pending = account.pending();

  expect(pending.map(({ at, task }) => [Number(at) - WALL_START, task])).toEqual([
    [1_500, { kind: "attempt", requestId, delivery: 1 }],
    [1_500, { kind: "attempt", requestId, delivery: 2 }],
  ]);
});

test("a registration that was decided by hand is not decided again", async () => {
  const { account } = testWorld({ account: { balance: cents(100_000_000) } });
  const [submitted] = registerSenderId(account, { senderId: "MFANO", carriers: ["airtel"] });
  decideRegistration(account, { id: submitted?.id ?? "", verdict: "rejected", reason: "no" });

  await account.advance({ by: 30 * DAY }, 0);

  expect(carriersOf(account.state, "MFANO")).toEqual([]);
});

test("what the store refused is retried a second later, and each outage is reported once", async () => {
  const refusals = [new Error("disk full"), new Error("disk full")];
  const { account, wall, faults } = testWorld({
    account: { clock: { mode: "real" }, callbacks: callbacksTo(SINK_URL) },
    store: refusingStore("settled", refusals),
  });
  const { requestId } = buyAirtime(account, 10);

  wall.advance(1_000);
  await allReady();
  wall.advance(1_000);
  await allReady();
  const before = account.state.transactions.get(requestId)?.progress.state;
  wall.advance(1_000);
  await allReady();

  expect(faults).toHaveLength(2);
  expect({ before, state: account.state.transactions.get(requestId)?.progress.state }).toEqual({
    before: "queued",
    state: "succeeded",
  });
});

test("a callback that the store did not let begin goes out once it can be written down", async () => {
  const refusals = [new StoreOutage("disk full"), new StoreOutage("disk full")];
  const { account, wall, faults, sent } = testWorld({
    account: real,
    store: refusingStore("attempt-begun", refusals, true),
  });
  const { requestId } = buyAirtime(account, 10);

  wall.advance(1_000);
  await allReady();
  wall.advance(1_000);
  await allReady();
  const sentBefore = sent.length;
  wall.advance(1_000);
  await allReady();

  expect(faults).toHaveLength(2);
  expect({ sentBefore, sent: sent.length }).toEqual({ sentBefore: 0, sent: 1 });
  expect(account.state.transactions.get(requestId)?.progress).toMatchObject({ attempts: [{ attempt: 1 }] });
});

test("a callback that the store did not let begin is left to whoever owns the account next", async () => {
  const { account, wall, sent } = testWorld({
    account: real,
    store: refusingStore("attempt-begun", [new StoreOutage("disk full")], true),
  });
  buyAirtime(account, 10);
  wall.advance(1_000);
  await allReady();

  await account.stopWork(1_000);
  wall.advance(HOUR);
  await allReady();

  expect(sent).toEqual([]);
});

test("a callback that is under way is not sent again by what falls due meanwhile", async () => {
  const { account, wall, sent } = testWorld({ account: real, answer: () => new Promise(() => {}) });
  const { requestId } = buyAirtime(account, 10);
  wall.advance(1_000);
  await allReady();

  resend(account, [requestId]);
  wall.advance(1_000);
  await allReady();

  expect(sent).toHaveLength(2);
});

test("an advance that the store stops can be made again", async () => {
  const refusals = [new Error("disk full")];
  const { account } = testWorld({
    store: refusingStore("settled", refusals),
  });
  const { requestId } = buyAirtime(account, 10);

  await expect(account.advance({ by: 1_000 }, 0)).rejects.toThrow("disk full");
  await account.advance({ by: 1_000 }, 0);

  expect(account.state.transactions.get(requestId)?.progress.state).toBe("succeeded");
});

test.each([
  ["more than can be kept exactly beside what is held", 999_999_999_999_999],
  ["a debt", -1],
])("the wallet cannot be set to %s, and nothing is changed", async (_name, sum) => {
  const { account } = testWorld();
  buyAirtime(account, 10);

  expect(() => setBalance(account, cents(sum))).toThrow(expect.objectContaining({ kind: "invalid" }));

  expect(account.journal.version).toBe(2);
});

/** Throws a fault in place of each append that begins with such an event, while there are any left. */
function refusingStore(kind: AccountEvent["kind"], faults: Error[], isLasting = false): JournalStore {
  const memory = memoryJournalStore();
  return {
    ...memory,
    isLasting,
    append: (name, events) => {
      const fault = events[0]?.kind === kind ? faults.shift() : undefined;
      if (fault !== undefined) throw fault;
      memory.append(name, events);
    },
  };
}
