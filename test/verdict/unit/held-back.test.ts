import { expect, test } from "vitest";
import { SECOND } from "../../../src/gateway/domain/time.ts";
import { initialState } from "../../../src/gateway/account/state.ts";
import { TrialRunner } from "../../../src/verdict/trial/run-trial.ts";
import { StubbornApplication } from "../../support/experiments.ts";
import { accepted, opened } from "../../support/finding-events.ts";
import { airtime, WALL_START } from "../../support/gateway/world.ts";
import { IDLE_ACCOUNT, ORDER, trialEnvironment } from "../../support/order-evidence.ts";

const TAKEN = { answers: 201, isContinued: true, sentAfter: 50, settle: undefined };

test.each<[string, Partial<Record<"answers" | "sentAfter" | "settle", number>> & { isContinued?: boolean }, object]>([
  [
    "an order that it has taken after something went wrong is sent within a minute",
    { sentAfter: 50 },
    { asked: 1, until: 55 },
  ],
  ["and no longer", { sentAfter: 70 }, { asked: 0, until: 60 }],
  ["one that it has refused is not waited for", { answers: 409 }, { asked: 0, until: 5 }],
  ["nor one before which nothing went wrong", { isContinued: false }, { asked: 0, until: 5 }],
  ["nor one where the map says how long to wait", { settle: 7 * SECOND }, { asked: 0, until: 7 }],
])("a paused application has time: %s", async (_what, trial, expected) => {
  const { answers, isContinued, sentAfter, settle } = { ...TAKEN, ...trial };
  const environment = trialEnvironment();
  const passed = (): number => Math.floor((environment.clock.now() - WALL_START) / 1_000);
  const sent = accepted("a", 0, { at: WALL_START, order: airtime(50, ORDER.phoneNumber) });
  const journal = async () => ({ first: 1, events: passed() >= sentAfter ? [opened(), sent] : [opened()] });
  const runner = new TrialRunner({
    application: new StubbornApplication("open", answers, { settle }),
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
