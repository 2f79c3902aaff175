import { expect, test } from "vitest";
import { newOrder } from "../../../src/verdict/application/new-order.ts";
import { plainOrderAfter } from "../../../src/verdict/exploration/aftermath.ts";
import {
  describePoint,
  type Experiment,
  experimentWith,
  faultsAt,
  scenarioOf,
  withDraws,
} from "../../../src/verdict/exploration/experiment.ts";
import { uncovered } from "../../../src/verdict/exploration/plan.ts";
import { onlyWithProfile, withoutProfile } from "../../../src/verdict/exploration/profile-experiments.ts";
import { planTrial, reportTrial } from "../../../src/verdict/exploration/replay.ts";
import { onlyResult, type Result } from "../../../src/verdict/exploration/result.ts";
import type { RunOptions } from "../../../src/verdict/exploration/run-experiments.ts";
import { headline } from "../../../src/verdict/report/problems.ts";
import { FAULTS } from "../../../src/verdict/faults.ts";
import {
  DETAILS,
  FULL_MAP,
  RETRY,
  applicationOf,
  defectOf,
  experiment,
  faultAt,
  named,
  resultOf,
  runnerOf,
} from "../../support/experiments.ts";
import { accepted, clientWaits, queried, settled } from "../../support/finding-events.ts";
import { airtime, sms } from "../../support/gateway/world.ts";

const FAILED = faultAt("result-failed");
const CUT = faultAt("reset-before-accept");
const CUT_WORDS = "the connection is reset, and the order is not accepted";
const FAILED_WORDS = "the carrier fails the order";

test.each([
  ["sms-plain", [], "nothing goes wrong"],
  [
    "airtime-1-reset-before-accept-and-airtime-2-result-failed",
    [CUT, { ...FAILED, ...RETRY }],
    `${CUT_WORDS}, and ${FAILED_WORDS} (2nd airtime request)`,
  ],
  [
    "airtime-details-1-reset-before-accept",
    [{ ...CUT, ...DETAILS }],
    "the connection is reset (1st account-details request (airtime))",
  ],
  ["airtime-1-credentials-revoked", [faultAt("credentials-revoked")], "the credentials are revoked between two orders"],
  [
    "airtime-1-result-failed-and-sms-1-result-failed",
    [FAILED, { ...FAILED, operation: "sms" as const }],
    `${FAILED_WORDS} (1st airtime request), and ${FAILED_WORDS} (1st sms request)`,
  ],
])("faults have an id and words, and places in the matrix: %s", (id, faults, words) => {
  const places = faults.map(({ fault, ...point }) => ({ point: describePoint(point), fault: fault.id }));

  expect(planTrial(experimentWith("sms", faults))).toEqual({ id, operation: "sms", faults: words, places });
});

test("a named experiment is in the row of its name, and a point is called by its place among the requests of its kind", () => {
  const points = [1, 2, 3, 4, 11, 20, 22].map((nth) => describePoint({ ...DETAILS, nth }).split(" ")[0]);

  expect(planTrial(named("same-order-twice")).places).toEqual([
    { point: "1st airtime request", fault: "same-order-twice" },
  ]);
  expect(points.join(" ")).toBe("1st 2nd 3rd 4th 11th 20th 22nd");
});

test("an order is not assessed of which an application without callbacks for its kind was not told", async () => {
  const { runner } = runnerOf((orders) => ({
    events: orders.map(({ phoneNumber }, at) => accepted("order", at, { order: sms("Hi", phoneNumber) })),
    orders: orders.map(() => ({ claimed: { claim: "open", said: "sent" } })),
  }));

  const failed = experimentWith("sms", [{ ...FAILED, operation: "sms" }]);
  const { verdicts } = onlyResult(await runner.run([failed]));

  const reasons = verdicts.filter(({ is }) => is === "not assessed").map(({ seen }) => seen);
  expect(reasons).toContainEqual(expect.stringMatching(/^the map has no callbacks\.sms, so that nothing told/));
});

test("every fault is possible at the first request, only those of a request at a retry, and at details those that tell of it", () => {
  const [first, retry, details] = [FAILED, RETRY, DETAILS].map((point) => faultsAt(point).map(({ fault }) => fault));

  expect(first).toEqual(FAULTS);
  expect(retry).toEqual(FAULTS.filter((fault) => "then" in fault));
  expect(details).toEqual(FAULTS.filter(({ atDetails }) => atDetails !== undefined));
});

test.each<[string, Partial<Result>, string[]]>([
  ["a fault has", {}, ["airtime-1-refused-500-and-airtime-2-refused-402"]],
  ["not a restart", { experiment: named("restart-during-order") }, []],
  ["nor a fault that changes the account", { experiment: experiment("credentials-revoked-throughout") }, []],
  ["nor a second fault", { experiment: experimentWith("airtime", [CUT, { ...CUT, ...RETRY }]) }, []],
  ["nor a defect", { defect: defectOf("sold-twice") }, []],
])("faults go on from the points that %s uncovered", (_what, changes, ids) => {
  const result = resultOf({ experiment: experiment("refused-500"), points: [RETRY], ...changes });

  const { experiments } = uncovered([result], new Set(), {
    application: applicationOf(FULL_MAP),
    faults: ["refused-402"],
  });

  expect(experiments.map(({ id }) => id)).toEqual(ids);
});

test("faults happen to the requests of their own order, or to all for account details, and change the account at their moment", () => {
  const { rules } = scenarioOf([
    { phoneNumber: "254712000001", faults: [{ ...FAILED, ...RETRY }] },
    { phoneNumber: "254712000002", faults: [{ ...CUT, ...DETAILS }] },
    { faults: [FAILED] },
  ]);

  expect(rules?.map(({ when }) => when)).toEqual([
    { phone_number: "254712000001", nth: 2 },
    { operation: "account-details", nth: 1 },
    { operation: "airtime", nth: 1 },
  ]);
  expect(rules?.[0]).toMatchObject({ then: { result: { outcome: "failed" } }, continue: true });
  expect(["wallet-empty", "credentials-revoked"].map((id) => scenarioOf([{ faults: [faultAt(id)] }]))).toEqual([
    { version: 1, name: "explored", setup: { wallet: { balance: "0" } } },
    { version: 1, name: "explored", timeline: [{ at: "1ms", do: { credentials: "revoked" } }] },
  ]);
});

test("the same draw gives the same amount, text and last digits, but another number and reference", async () => {
  const { runner, trials } = runnerOf(() => ({ events: [] }));
  const drawn = withDraws(named("numbers-of-three-carriers"), [1, 2, 3]);

  for (const one of [drawn, drawn, experiment()]) await runner.run([one]);

  const orders = trials.flatMap(({ steps }) => steps.flatMap((step) => ("place" in step ? step.place : [])));
  const kept = orders.map(({ amount, message, phoneNumber: number }) => [
    amount,
    message,
    number.slice(0, 5),
    number.slice(-4),
  ]);
  expect(kept.slice(3, 6)).toEqual(kept.slice(0, 3));
  expect(kept.map(([, , prefix]) => prefix).slice(0, 3)).toEqual(["25411", "25410", "25477"]);
  expect(new Set(orders.map(({ amount }) => amount)).size).toBe(3);
  expect(new Set(orders.flatMap(({ phoneNumber, reference }) => [phoneNumber, reference])).size).toBe(14);
});

test("a plain order after others has the amount of the first, which was right", async () => {
  const { runner, trials } = runnerOf(() => ({ events: [] }));
  const run = runner.run.bind(runner);

  runner.learn(onlyResult(await run([experiment()])));
  await plainOrderAfter(await run([experiment()]), run);

  const amounts = trials.flatMap(({ steps }) => steps.flatMap((step) => ("place" in step ? step.place : [])));
  const [first, other, after] = amounts.map(({ amount }) => amount);
  expect({ after, isOther: other !== first }).toEqual({ after: first, isOther: true });
});

test("no two of 9,999 draws, each repeated a hundred times, share a number", () => {
  const options = { seed: 7, startedAt: 1_763_000_000_000, map: {} };
  const draws = Array.from({ length: 770 }, (_, index) => 1 + 13 * index);
  const repeats = Array.from({ length: 100 }, (_, index) => index);

  const numbers = draws.flatMap((draw) =>
    repeats.map((repeat) => newOrder("sms", { ...options, draw, repeat }).phoneNumber),
  );

  expect(new Set(numbers).size).toBe(77_000);
});

test("what ends an application while the orders of a profile are placed without it is not due to the profile", () => {
  const control = withoutProfile({ experiment: named("profile-callback-text"), draws: [1, 2, 3, 4, 5] });
  const ended = resultOf({ experiment: control, defect: { ...defectOf("stops-answering"), title: "stops answering" } });

  expect(ended.defect && headline(reportTrial(ended), ended.defect)).toBe(
    "When several orders are placed at once, the application stops answering.",
  );
  expect(onlyWithProfile(ended, undefined)).toBe(ended);
  expect({ profile: control.profile, draws: control.orders.map(({ draw }) => draw) }).toEqual({
    draws: [1, 2, 3, 4, 5],
  });
});

const LATE = [experiment("callback-late")];
const BOTH = [...LATE, experiment("callback-twice")];
const REQUESTED = { requested: true };

test.each<[string, Experiment[], RunOptions, unknown[], object]>([
  ["several have an order each, placed at once", BOTH, {}, [2], { isPatient: false }],
  ["an earlier order", [experiment("credentials-revoked")], {}, [1, REQUESTED, { advance: 1 }, 1], {}],
  ["one order twice at once", [named("same-order-twice")], {}, [2], {}],
  ["orders in turn", [named("first-of-two-fails")], {}, [1, REQUESTED, 1, REQUESTED], {}],
  ["a restart", [named("restart-during-order")], {}, [1, REQUESTED, { restart: true }], { isPatient: true }],
  ["a held answer", [experiment()], { isHeld: true }, [1, { held: {} }], {}],
  ["a profile", [named("profile-callback-text")], {}, [5], { profileChange: { callback_values: "text" } }],
  ["what comes after", [experiment()], { isContinued: true }, [1], { isContinued: true }],
])("a run has steps: %s", async (_what, experiments, options, steps, trial) => {
  const { runner, trials } = runnerOf(() => ({ events: [] }));

  await runner.run(experiments, options);

  expect(trials[0]?.steps.map((step) => ("place" in step ? step.place.length : step))).toMatchObject(steps);
  expect(trials[0]).toMatchObject(trial);
});

type Happen = Parameters<typeof runnerOf>[0];

/** Each order is accepted and delivered so many times. */
function delivered(times: number, more: object = {}): Happen {
  return (orders) => ({
    events: orders.flatMap((order, at) =>
      Array.from({ length: times }, (_, nth) => `r${at}-${nth}`).flatMap((id) => [
        accepted(id, at, { order: airtime(order.amount, order.phoneNumber) }),
        settled(id, at + 1),
      ]),
    ),
    ...more,
  });
}

const waiting: Happen = (...asked) => ({
  ...BUSY,
  events: [...delivered(1)(...asked).events, clientWaits("r0-0", 33)],
});
const [RACE, BUSY] = [{ imbalance: defectOf("balance-race") }, { isTooBusy: true }];
const unsent =
  (more: object = {}): Happen =>
  () => ({ events: [], orders: [{ claimed: { claim: "open", said: "open" } }], ...more });
const FIVE = [named("five-customers-at-once")];

test.each<[string, Happen, Experiment[], string[]]>([
  ["a wrong total of one experiment is its defect", delivered(1, RACE), FIVE, ["balance-race"]],
  ["but not beside the defect of an order", delivered(2, RACE), FIVE, ["sold-twice"]],
  ["a wrong total of several is nobody's", delivered(1, RACE), BOTH, ["right", "right"]],
  ["nor is it told on a busy machine", delivered(1, { ...RACE, ...BUSY }), BOTH, ["not assessed", "not assessed"]],
  ["what is right there stays so", delivered(1, BUSY), LATE, ["right"]],
  ["what was sold twice there was", delivered(2, BUSY), LATE, ["sold-twice"]],
  ["half a minute is no limit there either", waiting, LATE, ["waits-forever"]],
  ["an order must be sent", unsent(), [named("restart-before-request")], ["taken-not-sent"]],
  ["unless the machine was too busy", unsent(BUSY), [named("restart-before-request")], ["not assessed"]],
  ["others may be open", unsent(), LATE, ["open"]],
])("what a run shows: %s", async (_what, happen, experiments, words) => {
  const { results } = await runnerOf(happen).runner.run(experiments);

  expect(results.map(({ verdict, defect }) => defect?.id ?? verdict)).toEqual(words);
});

function asking(times: number) {
  return { events: Array.from({ length: times }, (_, at) => queried(`d${at}`, at)) };
}

test.each([
  [2, BOTH, [false, false]],
  [3, BOTH, [true, true]],
  [3, LATE, [false]],
])(
  "with %i requests for account details, one a plain order, orders in parallel ask more",
  async (count, experiments, more) => {
    const { runner } = runnerOf(() => asking(count));
    const plain = await runnerOf(() => asking(1)).runner.run([experiment()]);

    for (const result of plain.results) runner.learn(result);

    expect((await runner.run(experiments)).results.map((one) => one.hasExtraDetailsRequests)).toEqual(more);
  },
);
