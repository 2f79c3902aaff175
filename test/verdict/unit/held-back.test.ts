import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { initialState } from "../../../src/gateway/account/state.ts";
import { SECOND } from "../../../src/gateway/domain/time.ts";
import { type Evidence, type Trial, TrialRunner } from "../../../src/verdict/trial/run-trial.ts";
import { StubbornApplication } from "../../support/experiments.ts";
import { accepted, attempted, opened, queried, refused, settled } from "../../support/finding-events.ts";
import { airtime, WALL_START } from "../../support/gateway/world.ts";
import { IDLE_ACCOUNT, ORDER, trialEnvironment } from "../../support/order-evidence.ts";

const SENT = accepted("a", 0, { at: WALL_START, order: airtime(50, ORDER.phoneNumber) });
const TAKEN = { answers: 201, isContinued: true, sentAfter: 50, settle: undefined };

test.each<[string, Partial<Record<"answers" | "sentAfter" | "settle", number>> & { isContinued?: boolean }, object]>([
  ["an order that it has taken after something went wrong is sent within a minute", {}, { asked: 1, until: 55 }],
  ["and no longer", { sentAfter: 70 }, { asked: 0, until: 60 }],
  ["one that it has refused is not waited for", { answers: 409 }, { asked: 0, until: 5 }],
  ["nor one before which nothing went wrong", { isContinued: false }, { asked: 0, until: 5 }],
  ["nor one where the map says how long to wait", { settle: 7 * SECOND }, { asked: 0, until: 7 }],
])("a paused application has time: %s", async (_what, trial, expected) => {
  const { answers, isContinued, sentAfter, settle } = { ...TAKEN, ...trial };
  const application = new StubbornApplication("open", answers, { settle });

  const { orders, until } = await runTrial(application, isContinued, (passed) => (passed >= sentAfter ? [SENT] : []));

  expect({ asked: orders[0]?.truth.asked, until }).toEqual(expected);
});

const OTHER = accepted("b", 0, { at: WALL_START, order: airtime(80, "254712000002") });
const OTHERS = [OTHER, settled("b", 1), attempted("b", 2)];

test.each<[string, readonly AccountEvent[], number, object, object]>([
  ["is sent within a minute", OTHERS, 50, {}, { asked: 1, until: 55 }],
  ["is watched for a minute", OTHERS, 70, {}, { asked: 0, until: 60 }],
  ["is not watched where the map says how long to wait", OTHERS, 50, { settle: 7 * SECOND }, { asked: 0, until: 7 }],
  [
    "is not watched after a refusal",
    [...OTHERS, refused("c", 3, { code: 402, order: airtime(80, "254712000003") })],
    50,
    {},
    { asked: 0, until: 5 },
  ],
])("an order that waits beside others that were sent %s", async (_what, others, sentAfter, changes, expected) => {
  const application = new StubbornApplication("open", 201, changes);

  const { orders, until } = await runTrial(application, false, (passed) => [
    ...others,
    ...(passed >= sentAfter ? [SENT] : []),
  ]);

  expect({ asked: orders[0]?.truth.asked, until }).toEqual(expected);
});

test("an order that the application shows as failed and has not sent is not watched for a minute", async () => {
  const { until } = await runTrial(new StubbornApplication("failed", 200), false, () => OTHERS);

  expect(until).toBe(5);
});

test("an order that was watched in vain is watched no longer in the next trial", async () => {
  const [runner, passed] = runnerOf(new StubbornApplication("open", 201), () => OTHERS);

  const until = [];
  for (const _ of ["once", "twice"]) until.push((await runner.run(TRIAL), passed()));

  expect(until).toEqual([60, 65]);
});

test.each<[string, (seconds: number) => readonly AccountEvent[], number]>([
  ["as long as it is told to", () => [], 10],
  ["for longer if an order is sent meanwhile", (passed) => (passed >= 8 ? [SENT] : []), 13],
  [
    "and no longer for what is only asked",
    (passed) => Array.from({ length: passed }, (_, at) => queried(`d${at}`, at)),
    10,
  ],
])("an application is left alone %s, and asked again", async (_what, eventsAfter, until) => {
  const application = new StubbornApplication("paid", 201, { settle: 0 });
  const [runner, passed] = runnerOf(application, eventsAfter);
  const first = await runner.run(TRIAL);
  const begun = passed();

  const { orders, kept } = await first.later(10 * SECOND - begun * SECOND);

  expect(passed()).toBe(until);
  expect({ asked: orders[0]?.truth.asked, claim: orders[0]?.claimed.claim }).toEqual({
    asked: kept.events.filter(({ kind }) => kind === "accepted").length,
    claim: "paid",
  });
});

test.each([
  ["is not waited for where callbacks tell results", {}, 5],
  ["is waited for where none do", { callbacks: {} }, 120],
])("an application that asks for account details each second %s", async (_what, changes, expected) => {
  const application = new StubbornApplication("open", 201, changes);

  const { until } = await runTrial(application, false, (passed) => [
    SENT,
    ...Array.from({ length: passed }, (_, second) => queried(`d${second}`, second)),
  ]);

  expect(until).toBe(expected);
});

const TRIAL: Trial = {
  name: "run",
  seed: 1,
  clock: { mode: "manual" },
  scenarios: [],
  steps: [{ place: [ORDER], isAtOnce: true }],
  isPatient: true,
};

/** Runs a trial of one order, with the events of so many seconds. Resolves to what it leaves, and the seconds that it took. */
async function runTrial(
  application: StubbornApplication,
  isContinued: boolean,
  eventsAfter: (seconds: number) => readonly AccountEvent[],
): Promise<Evidence & { readonly until: number }> {
  const [runner, passed] = runnerOf(application, eventsAfter);

  const evidence = await runner.run({ ...TRIAL, isContinued });

  return { ...evidence, until: passed() };
}

/** Returns a runner, and a function that tells how many seconds have passed. */
function runnerOf(
  application: StubbornApplication,
  eventsAfter: (seconds: number) => readonly AccountEvent[],
): [TrialRunner, () => number] {
  const environment = trialEnvironment();
  const passed = (): number => Math.floor((environment.clock.now() - WALL_START) / SECOND);
  const journal = async () => ({ first: 1, events: [opened(), ...eventsAfter(passed())] });
  const account = { ...IDLE_ACCOUNT, journal };
  return [
    new TrialRunner({ application, environment: { ...environment, account }, before: initialState(opened()) }),
    passed,
  ];
}
