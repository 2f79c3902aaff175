import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { initialState } from "../../../src/gateway/account/state.ts";
import { SECOND } from "../../../src/gateway/domain/time.ts";
import { type Evidence, TrialRunner } from "../../../src/verdict/trial/run-trial.ts";
import { StubbornApplication } from "../../support/experiments.ts";
import { accepted, opened, queried } from "../../support/finding-events.ts";
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

/** Runs a trial of one order, with the events of so many seconds. Resolves to what it leaves, and the seconds that it took. */
async function runTrial(
  application: StubbornApplication,
  isContinued: boolean,
  eventsAfter: (seconds: number) => readonly AccountEvent[],
): Promise<Evidence & { readonly until: number }> {
  const environment = trialEnvironment();
  const passed = (): number => Math.floor((environment.clock.now() - WALL_START) / SECOND);
  const journal = async () => ({ first: 1, events: [opened(), ...eventsAfter(passed())] });
  const runner = new TrialRunner({
    application,
    environment: { ...environment, account: { ...IDLE_ACCOUNT, journal } },
    before: initialState(opened()),
  });

  const evidence = await runner.run({
    name: "run",
    seed: 1,
    clock: { mode: "manual" },
    scenarios: [],
    steps: [{ place: [ORDER], isAtOnce: true }],
    isPatient: true,
    isContinued,
  });

  return { ...evidence, until: passed() };
}
