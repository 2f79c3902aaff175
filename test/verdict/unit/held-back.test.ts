import { expect, test } from "vitest";
import { initialState } from "../../../src/gateway/account/state.ts";
import { TrialRunner } from "../../../src/verdict/trial/run-trial.ts";
import { StubbornApplication } from "../../support/experiments.ts";
import { accepted, opened } from "../../support/finding-events.ts";
import { airtime, WALL_START } from "../../support/gateway/world.ts";
import { IDLE_ACCOUNT, ORDER, trialEnvironment } from "../../support/order-evidence.ts";

test.each([
  [
    "an order that it has taken after something went wrong is sent within a minute",
    201,
    true,
    50,
    { asked: 1, until: 55 },
  ],
  ["and no longer", 201, true, 70, { asked: 0, until: 60 }],
  ["one that it has refused is not waited for", 409, true, 50, { asked: 0, until: 5 }],
  ["nor one before which nothing went wrong", 201, false, 50, { asked: 0, until: 5 }],
])("a paused application has time: %s", async (_what, answers, isContinued, sentAfter, expected) => {
  const environment = trialEnvironment();
  const passed = (): number => Math.floor((environment.clock.now() - WALL_START) / 1_000);
  const sent = accepted("a", 0, { at: WALL_START, order: airtime(50, ORDER.phoneNumber) });
  const journal = async () => ({ first: 1, events: passed() >= sentAfter ? [opened(), sent] : [opened()] });
  const runner = new TrialRunner({
    application: new StubbornApplication("open", answers),
    environment: { ...environment, account: { ...IDLE_ACCOUNT, journal } },
    before: initialState(opened()),
  });

  const { orders } = await runner.run({
    name: "run",
    seed: 1,
    clock: { mode: "manual" },
    scenarios: [],
    steps: [{ place: [ORDER], isAtOnce: true }],
    isPatient: true,
    isContinued,
  });

  expect({ asked: orders[0]?.truth.asked, until: passed() }).toEqual(expected);
});
