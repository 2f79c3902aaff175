import { isDeepStrictEqual } from "node:util";
import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import type { Scenario } from "../../../src/gateway/scenario/schema.ts";
import type { ApplicationOrder } from "../../../src/verdict/application/placed-order.ts";
import { isWithoutOccasion } from "../../../src/verdict/exploration/conditions.ts";
import { type Experiment, experimentWith } from "../../../src/verdict/exploration/experiment.ts";
import { EXPERIMENT_NAMES } from "../../../src/verdict/exploration/experiments.ts";
import { reportTrial } from "../../../src/verdict/exploration/replay.ts";
import { onlyResult, type Result } from "../../../src/verdict/exploration/result.ts";
import { PROFILE_TRIAL_IDS } from "../../../src/verdict/profile-trials.ts";
import {
  defectOf,
  DETAILS,
  experiment,
  faultAt,
  type Happened,
  NAMED,
  RETRY,
  runnerOf,
} from "../../support/experiments.ts";
import { accepted, appliedRules, attempted, queried, refused, unread } from "../../support/finding-events.ts";
import { airtime, sms } from "../../support/gateway/world.ts";

const HAPPENED = "it happened";
const NO_REQUEST = "no request reached the gateway";
const NO_FAULT = "no request got that far";
const NO_ORDER = "an order never reached the gateway";
const TOO_LATE = "an order reached the gateway only after the first callback";
const OTHER_ORDER = "the callbacks came in another order";
const NO_CALLBACK = "a callback was never sent";
const NOT_APART = "the callbacks did not come as far apart";
const AT_ONCE = "its request left before the restart";
const STAYED_UP = "the application did not go down";
const BEFORE_RESTART = "an order had not reached the gateway before the restart";

const TOGETHER = { "": NO_REQUEST, "r0 c0 r1": TOO_LATE };
const IN_TURN = { ...TOGETHER, "r0 r1 c0 c1": HAPPENED, "r0 r1 c1 c0": OTHER_ORDER, "r0 r1 c0": NO_CALLBACK };
const CROSSED = { ...TOGETHER, "r0 r1 c1 c0": HAPPENED, "r0 r1 c0 c1": OTHER_ORDER, "r0 r1 c1": NO_CALLBACK };
const THREE = { "": NO_ORDER, "r0 r1 r2": HAPPENED, "r0 x1 r2": HAPPENED, "r0 y1 r2": HAPPENED, "r0 r2": NO_ORDER };
const TWO = { "": NO_ORDER, "r0 r1": HAPPENED, "r0 x1": HAPPENED, r0: NO_ORDER };
const ONE = { "": NO_REQUEST, r0: HAPPENED, n0: NO_FAULT };
const PROFILE = {
  "": NO_REQUEST,
  "r0 r1 r2 r3 r4": HAPPENED,
  "r0 n1 r2 r3 r4": NO_FAULT,
  "x0 r1 r2 r3 r4": HAPPENED,
  "r1 r2 r3 r4": NO_ORDER,
};

/**
 * What is told of evidence. Of the orders, counted from 0: r is a request to which the scenario's rules happen, f one that is refused all the
 * same, n one to which none does, k and u are ones refused unread with 401 and 422, x is one that the application refuses itself, y one that it answers
 * with 503 and knows nothing of, c a callback.
 * Besides: q is a question for account details, d one to which the rules happen, | the restart, / one through which the application goes on
 * listening, v the moment when it goes down later, w a wait, s a stranger's callback.
 */
const ROWS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "five-customers-at-once": {
    "": NO_REQUEST,
    "r0 r1 r2 r3 r4 c0": HAPPENED,
    "r0 r1 n2 r3 r4 c0": NO_FAULT,
    "r0 r1 r2 r3 c0 r4": TOO_LATE,
    "r0 r1 r2 r3 x4 c0": NO_ORDER,
  },
  "unanswered-beside-unknown": {
    "": NO_REQUEST,
    "r0 c0 r1": TOO_LATE,
    "n0 r1": NO_FAULT,
    "r0 n1": NO_FAULT,
    "r0 r1": HAPPENED,
  },
  "first-of-two-fails": { ...IN_TURN, "r0 n1 c0 c1": NO_FAULT },
  "first-of-two-fails-crossed": { ...CROSSED, "r0 r0": NO_ORDER, "n0 r1 c1 c0": NO_FAULT },
  "second-of-two-fails": { ...IN_TURN, "r0 n1 c0 c1": NO_FAULT },
  "second-of-two-fails-crossed": { ...CROSSED, "n0 r1 c1 c0": NO_FAULT },
  "numbers-of-three-carriers": THREE,
  "long-and-unusual-texts": {
    "": NO_ORDER,
    "r0 r1 r2 r3 r4": HAPPENED,
    "r0 x1 r2 r3 r4": HAPPENED,
    "r0 r1 r2 r3": NO_ORDER,
  },
  "same-order-twice": { "": NO_ORDER, r0: HAPPENED, q: NO_ORDER },
  "numbers-as-typed": TWO,
  "second-order-for-a-number": TWO,
  "second-order-alike": TWO,
  "strangers-callback": {
    "": NO_REQUEST,
    "r0 r1": "the application had not answered the order, or the gateway did not know it",
    "r0 n1 s": NO_FAULT,
    "f0 r1 s": NO_FAULT,
    "r0 r1 s": HAPPENED,
  },
  "callback-three-times-apart": {
    "": NO_REQUEST,
    "n0 c0 w c0 w c0": NO_FAULT,
    "r0 c0 w c0 w c0": HAPPENED,
    "r0 c0 p0 e0 w c0 w c0": HAPPENED,
    "r0 c0 c0 w w c0": NOT_APART,
    "r0 c0 w w c0 c0": NOT_APART,
    "r0 w c0 w c0 c0": NOT_APART,
    "r0 c0 w c0 w": NOT_APART,
  },
  "restart-before-request": {
    "|": HAPPENED,
    "| r0": HAPPENED,
    "r0 |": AT_ONCE,
    "| r0 v": AT_ONCE,
    "/ r0": STAYED_UP,
  },
  "restart-after-order": {
    "r0 / c0": STAYED_UP,
    "|": BEFORE_RESTART,
    "r0 | c0": HAPPENED,
    "| r0": BEFORE_RESTART,
    "r0 c0 |": "a callback came before the restart",
  },
  "restart-during-order": {
    "r0 / c0": STAYED_UP,
    "|": NO_REQUEST,
    "r0 | c0": HAPPENED,
    "n0 | c0": NO_FAULT,
    "| r0": BEFORE_RESTART,
    "r0 c0 |": "a callback came before the restart",
  },
  "restart-after-callback": {
    "r0 r1 c0 c1 / c1": STAYED_UP,
    "|": NO_REQUEST,
    "r0 r1 c0 c1 | c1": HAPPENED,
    "r0 n1 c0 c1 | c1": NO_FAULT,
    "r0 r1 c1 | c0 c1": "a callback had not come before the restart",
    "r0 r1 c0 c1 |": "no callback was repeated",
    "r0 r1 c0 c1 c1 |": "a callback was repeated before the restart",
  },
  ...Object.fromEntries(PROFILE_TRIAL_IDS.map((id) => [id, PROFILE])),
  "profile-422-nested": ONE,
  "profile-422-root": ONE,
  "profile-duplicate-fails": ONE,
};

test("each experiment has a row", () => {
  expect(Object.keys(ROWS)).toEqual([...EXPERIMENT_NAMES, ...PROFILE_TRIAL_IDS]);
  expect([...NAMED.keys()].toSorted()).toEqual(Object.keys(ROWS).toSorted());
});

test.each(Object.entries(ROWS))("%s is told from evidence in which it did not happen", async (name, row) => {
  expect(await whatHappened(NAMED.get(name), Object.keys(row))).toEqual(row);
});

const TWO_FAULTS = experimentWith("airtime", [faultAt("reset-before-accept"), faultAt("result-failed", RETRY)]);
const AT_DETAILS = experimentWith("airtime", [faultAt("reset-before-accept", DETAILS)]);

test.each<[string, Experiment, Readonly<Record<string, string>>]>([
  ["a fault", experiment("callback-late"), { "": NO_REQUEST, q: NO_FAULT, n0: NO_FAULT, r0: HAPPENED }],
  ["a fault of a callback", experiment("callback-late"), { f0: NO_FAULT, "f0 r0": HAPPENED }],
  ["a fault of a result", experiment("result-failed"), { f0: NO_FAULT, "f0 r0": HAPPENED }],
  ["a refusal", experiment("refused-402"), { n0: NO_FAULT, f0: HAPPENED }],
  ["both of two faults", TWO_FAULTS, { r0: NO_FAULT, "r0 n0": NO_FAULT, "r0 r0": HAPPENED }],
  ["a fault at account details", AT_DETAILS, { r0: NO_FAULT, "q r0": NO_FAULT, "d r0": HAPPENED }],
  ["an empty wallet", experiment("wallet-empty"), { "": NO_REQUEST, q: HAPPENED, r0: HAPPENED }],
  [
    "a revocation of the credentials",
    experiment("credentials-revoked"),
    { "r0 x1": NO_FAULT, "r0 u1": NO_FAULT, "r0 k1": HAPPENED },
  ],
  ["nothing", experiment(), { "": NO_REQUEST, r0: HAPPENED }],
])("that %s happened is told from the requests that it met", async (_what, of, row) => {
  expect(await whatHappened(of, Object.keys(row))).toEqual(row);
});

test("of experiments that ran together, each is told from its own order", async () => {
  const { runner } = runnerOf((orders, scenario) => evidence("n0 r1", orders, scenario));

  const { results } = await runner.run([experiment("callback-late"), experiment("callback-twice")]);

  expect(results.map(({ unmet }) => unmet)).toEqual([NO_FAULT, undefined]);
});

test("the report says why an experiment did not happen as meant, unless a defect was seen all the same", async () => {
  const result = await ranWith(experiment("callback-late"), "n0");

  expect(reportTrial(result)).toMatchObject({
    verdict: "not assessed",
    verdicts: [{ is: "not assessed", seen: "the fault did not happen as meant (no request got that far)" }],
  });
  const lost = defectOf("outcome-lost");
  expect(reportTrial({ ...result, verdict: "defect", verdicts: [lost], defect: lost }).verdicts).toEqual([lost]);
});

test("only an experiment with faults at account details whose request never came had no occasion, unless it showed a defect", async () => {
  const [absent, met] = [await ranWith(AT_DETAILS, "r0"), await ranWith(AT_DETAILS, "d r0")];
  const other = await ranWith(experiment("callback-late"), "n0");
  const broken = { ...absent, defect: defectOf("stops-answering") };

  expect([absent, met, other, broken].map(isWithoutOccasion)).toEqual([true, false, false, false]);
});

async function whatHappened(of: Experiment | undefined, evidences: readonly string[]): Promise<Record<string, string>> {
  if (of === undefined) throw new Error("there is no such experiment");
  const told = evidences.map(async (words) => [words, (await ranWith(of, words)).unmet ?? HAPPENED] as const);
  return Object.fromEntries(await Promise.all(told));
}

async function ranWith(of: Experiment, words: string): Promise<Result> {
  const { runner } = runnerOf((orders, scenario) => evidence(words, orders, scenario));
  return onlyResult(await runner.run([of]));
}

function evidence(words: string, orders: readonly ApplicationOrder[], { rules = [] }: Scenario): Happened {
  const steps = words.split(" ").filter((word) => word !== "");
  const eventsOf = steps.map(eventsAt);
  return {
    events: eventsOf.flat(),
    restartedAt: [...placesOf("|"), ...placesOf("/")][0],
    wentDownAt: [...placesOf("v"), ...placesOf("|")][0],
    waitedAt: placesOf("w"),
    stranger: steps.includes("s") ? STRANGER : undefined,
    orders: orders.map((order, place) => ({
      ...(steps.includes(`x${place}`) && { placed: { ...order, reply: REFUSED } }),
      ...(steps.includes(`y${place}`) && { placed: { ...order, reply: UNKNOWN } }),
      claimed: steps.includes(`y${place}`)
        ? { claim: "failed", said: "no such order" }
        : { claim: "open", said: "open" },
    })),
  };

  /** How many events there were before each of these steps. */
  function placesOf(word: string): number[] {
    return steps.flatMap((one, at) => (one === word ? [eventsOf.slice(0, at).flat().length] : []));
  }

  function eventsAt(word: string, at: number): AccountEvent[] {
    const [kind = "", place] = word;
    const [order, code] = [orders[Number(place)], UNREAD[kind]];
    if (kind === "d") return [queried(word, at, { rules: firedBy({ operation: "account-details" }) })];
    if (kind === "q") return [queried(word, at)];
    if (code !== undefined) return [unread(word, at, { code })];
    if (order === undefined || kind === "x" || kind === "y") return [];
    const called = CALLED[kind];
    return [called === undefined ? requestAt(order, word, at) : attempted(`${called}${place}`, at)];
  }

  function requestAt({ phoneNumber, amount, message, operation }: ApplicationOrder, word: string, at: number) {
    const [kind, place] = word;
    const ordered = operation === "sms" ? sms(message, phoneNumber) : airtime(amount, phoneNumber);
    const nth = steps.slice(0, at + 1).filter((one) => one === word).length;
    const rules = kind === "n" || kind === "p" ? undefined : firedBy({ phone_number: phoneNumber, nth });
    if (kind === "f") return refused(word, at, { code: 402, order: ordered, rules });
    return accepted(kind === "p" ? word : `r${place}`, at, { order: ordered, rules });
  }

  function firedBy(request: { readonly phone_number?: string; readonly operation?: string; readonly nth?: number }) {
    const fired = rules.filter(({ when }) => isDeepStrictEqual({ nth: 1, ...request }, when));
    return appliedRules({ fired: fired.map(({ name: rule }) => ({ scenario: "explored", rule })) });
  }
}

/** Whose callback it is: that of the order's request, or of its further part. */
const CALLED: Readonly<Record<string, string>> = { c: "r", e: "p" };
const UNREAD: Readonly<Record<string, 401 | 422>> = { k: 401, u: 422 };
const STRANGER: Happened["stranger"] = {
  hasSecret: true,
  reply: { kind: "answered", status: 403, text: "" },
  before: { claim: "open", said: "open" },
};
const REFUSED = { kind: "answered", status: 422, text: "" } as const;
const UNKNOWN = { kind: "answered", status: 503, text: "" } as const;
