import { expect, test } from "vitest";
import { isRequestEvent } from "../../../src/gateway/account/event-guards.ts";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { responseTime } from "../../../src/gateway/account/readings/answer.ts";
import type { Advance, TrialEnvironment } from "../../../src/verdict/trial/environment.ts";
import { advanceUntilIdle, listensWithin, waitUntilQuiet } from "../../../src/verdict/trial/until-quiet.ts";
import {
  accepted,
  after,
  appliedRules,
  attempted,
  clientLeft,
  clientWaits,
  cut,
  queried,
} from "../../support/finding-events.ts";
import { manualWallClock } from "../../support/gateway/manual-wall-clock.ts";
import { refuseRequest, testWorld, WALL_START } from "../../support/gateway/world.ts";
import { IDLE_ACCOUNT, trialEnvironment } from "../../support/order-evidence.ts";

const MOVED: Advance = { pending: 1, isComplete: true, hasMoved: true };
const HANGS = cut("a", 0, { breakage: "hang" });
const DRIPS = cut("a", 0, { breakage: "drip" });

interface Quiet extends Partial<Omit<Parameters<typeof waitUntilQuiet>[0], "environment">> {
  /** The journal, which the test may add to. */
  readonly events?: readonly AccountEvent[];
}

const NOTHING_HAPPENS = {
  isManual: false,
  placing: () => 0,
  isTold: true,
  settle: () => 1_000,
  isOver: async () => false,
  tick: async () => {},
};

/** Returns the wall time until an account is quiet, by default one on which nothing happens for a second. */
async function quietAfter(
  { events = [], ...options }: Quiet,
  changes: Partial<TrialEnvironment> = {},
): Promise<number> {
  const account = { ...IDLE_ACCOUNT, journal: async () => ({ first: 1, events: [...events] }) };
  const environment = trialEnvironment({ account, ...changes });
  await waitUntilQuiet({ ...NOTHING_HAPPENS, environment, ...options });
  return environment.clock.now() - WALL_START;
}

/** An accepted order that is answered only after a time. */
function ackAfter(delay: number): AccountEvent {
  return accepted("a", 0, { rules: appliedRules({ ack: { delay } }) });
}

test("an application that sends a refused order again with every tick is not ticked for ever", async () => {
  const { account } = testWorld();
  const clock = manualWallClock(WALL_START);
  const tested = { ...IDLE_ACCOUNT, journal: async () => account.journal.read() };
  const pause = async (wait: number): Promise<void> => clock.advance(wait);
  refuseRequest(account, 402);

  const { kept } = await waitUntilQuiet({
    ...NOTHING_HAPPENS,
    environment: { account: tested, clock, pause, interruption: new AbortController().signal },
    isManual: true,
    tick: async () => refuseRequest(account, 402),
  });

  expect(kept.events.filter(isRequestEvent)).toHaveLength(4);
  expect(clock.now() - WALL_START).toBeLessThan(2_000);
});

test.each([
  ["nothing is due any more", [MOVED, { ...MOVED, pending: 0 }, MOVED], 2],
  ["what is due waits for a client that never leaves", [MOVED, MOVED, { ...MOVED, hasMoved: false }, MOVED], 3],
  ["the clock does not get there in time", [MOVED, { ...MOVED, isComplete: false }, MOVED], 2],
])("a manual clock is advanced until %s", async (_, answers, times) => {
  const left = [...answers];
  const advance = async (): Promise<Advance> => left.shift() ?? { ...MOVED, hasMoved: false };
  const environment = trialEnvironment({ account: { ...IDLE_ACCOUNT, advance } });

  await advanceUntilIdle(environment);

  expect(answers.length - left.length).toBe(times);
});

test("a clock on which something is always due is left as it is after two minutes", async () => {
  const clock = manualWallClock(WALL_START);
  const advance = async (by: number | "next"): Promise<Advance> => {
    clock.advance(by === "next" ? 30_000 : 0);
    return MOVED;
  };

  await advanceUntilIdle({ account: { ...IDLE_ACCOUNT, advance }, clock });

  expect(clock.now() - WALL_START).toBe(120_000);
});

test.each([
  ["nothing", [], 1_000],
  ["an answer that arrives late", [ackAfter(11_000)], 11_000],
  ["an answer that is dripped", [DRIPS], responseTime(DRIPS)],
  ["an answer that never arrives", [HANGS], 120_000],
  ["an answer that never arrives, to a client that has left", [HANGS, clientLeft("a", 1)], 1_000],
  ["an answer that never arrives, to a client without a limit", [HANGS, clientWaits("a", 1)], 1_000],
  ["a late answer whose callback was sent", [ackAfter(11_000), attempted("a", 0)], 1_000],
])("an account with %s is quiet after its time", async (_, events, millis) => {
  expect(await quietAfter({ events })).toBeCloseTo(millis, -2);
});

test.each([
  ["is waited for until it has answered", [ackAfter(0)], 45_000],
  ["is waited for as long as any call takes, where it makes none", [], 32_000],
  ["is not waited for where its client waits for ever", [HANGS, clientWaits("a", 1)], 1_000],
  ["is waited for beside one whose client waits for ever", [HANGS, clientWaits("a", 1), ackAfter(0)], 45_000, 2],
])("an order that the application still has to answer %s", async (_what, events, millis, orders = 1) => {
  const { clock, pause } = trialEnvironment();
  const placing = (): number => (clock.now() - WALL_START < 45_000 ? orders : 0);

  expect(await quietAfter({ events, placing }, { clock, pause })).toBeCloseTo(millis, -2);
});

/** Half a second passes with each pause, so that two minutes have few. */
function inLongPauses(): Pick<TrialEnvironment, "clock" | "pause"> {
  const clock = manualWallClock(WALL_START);
  return { clock, pause: async () => clock.advance(500) };
}

test("an application that never comes to rest is judged as it is after two minutes", async () => {
  const events: AccountEvent[] = [];
  const tick = async (): Promise<void> => void events.push(accepted(`r${events.length}`, 0));

  expect(await quietAfter({ events, tick }, inLongPauses())).toBeCloseTo(120_000, -2);
});

test("an application that needs longer than two minutes by its map gets its time", async () => {
  expect(await quietAfter({ settle: () => 180_000 })).toBeCloseTo(180_000, -2);
});

test("as soon as everything is as it should be, there is nothing left to wait for", async () => {
  const millis = await quietAfter({ isOver: async () => true });

  expect(millis).toBeLessThan(100);
});

test("the application runs its jobs once after each change, and not while there are new events", async () => {
  const events: AccountEvent[] = [];
  let ticks = 0;
  const tick = async (): Promise<void> => {
    ticks += 1;
    if (ticks === 1) events.push(accepted("a", 0));
  };

  await quietAfter({ events, tick });

  expect(ticks).toBe(2);
});

const CLOCK_CHANGED: AccountEvent = { kind: "clock-changed", at: after(0), clock: { mode: "manual", from: after(0) } };

test.each([
  ["changes of the clock by the checks are no news", CLOCK_CHANGED, true, 1_000],
  ["nor are questions for account details where results are told", queried("d", 0), true, 1_000],
  ["they are where nothing is told", queried("d", 0), false, 120_000],
])("with every tick, %s", async (_what, event, isTold, millis) => {
  const events: AccountEvent[] = [];
  const tick = async (): Promise<void> => void events.push(event);

  expect(await quietAfter({ events, tick, isTold }, inLongPauses())).toBeCloseTo(millis, -2);
});

test("a manual clock on which nothing is due is advanced again only once something has happened", async () => {
  let [advances, kept] = [0, await IDLE_ACCOUNT.journal()];
  const advance = async (): Promise<Advance> => {
    advances += 1;
    return { ...MOVED, pending: 0 };
  };
  const environment = trialEnvironment({ account: { ...IDLE_ACCOUNT, journal: async () => kept, advance } });
  let ticks = 0;
  const tick = async (): Promise<void> => {
    ticks += 1;
    if (ticks === 1) kept = { first: 1, events: [accepted("a", 0)] };
  };

  await waitUntilQuiet({ ...NOTHING_HAPPENS, environment, isManual: true, tick });

  // Once for each change, and once more to see that there is none.
  expect({ advances, ticks }).toEqual({ advances: 4, ticks: 2 });
});

test("the longer nothing happens, the more rarely the journal is read", async () => {
  let looks = 0;
  const journal = async () => {
    looks += 1;
    return { first: 1, events: [] };
  };
  const environment = trialEnvironment({ account: { ...IDLE_ACCOUNT, journal } });

  await waitUntilQuiet({ ...NOTHING_HAPPENS, environment, settle: () => 10_000 });

  expect(looks).toBeLessThan(10_000 / 40);
});

test("only a manual clock is advanced, until it is interrupted", async () => {
  let advances = 0;
  const advance = async (): Promise<Advance> => {
    advances += 1;
    return { ...MOVED, pending: 0 };
  };
  const account = { ...IDLE_ACCOUNT, advance };
  const interruption = AbortSignal.abort(new Error("stopped"));

  await quietAfter({ isManual: false }, { account });
  const stopped = quietAfter({ isManual: true }, { account, interruption });

  await expect(stopped).rejects.toThrow("stopped");
  expect(advances).toBe(1);
});

test("an application that listens at once is back, and one that never does is not, once the time has run out", async () => {
  const environment = trialEnvironment();
  const startedAt = environment.clock.now();

  const isBack = await listensWithin(1_000, { isListening: async () => true }, environment);
  const isNever = await listensWithin(1_000, { isListening: async () => false }, environment);

  const waited = environment.clock.now() - startedAt;
  expect({ isBack, isNever, waited }).toEqual({ isBack: true, isNever: false, waited: 1_000 });
});
