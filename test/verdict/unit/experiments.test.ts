import { expect, test } from "vitest";
import { newOrder } from "../../../src/verdict/application/new-order.ts";
import {
  describePoint,
  type Experiment,
  experimentWith,
  faultsAt,
  scenarioOf,
  withDraws,
} from "../../../src/verdict/exploration/experiment.ts";
import { planTrial } from "../../../src/verdict/exploration/replay.ts";
import type { RunOptions } from "../../../src/verdict/exploration/run-experiments.ts";
import { FAULTS } from "../../../src/verdict/faults.ts";
import { HELD_ANSWER } from "../../../src/verdict/trial/questions.ts";
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
import { accepted, clientWaits, queried, settled } from "../../support/finding-events.ts";
import { airtime } from "../../support/gateway/world.ts";

const FAILED = faultAt("result-failed");

test.each([
  [[], "sms-plain", "nothing goes wrong", []],
  [
    [faultAt("reset-before-accept"), faultAt("result-failed", RETRY)],
    "airtime-1-reset-before-accept-and-airtime-2-result-failed",
    "the connection is reset, and the order is not accepted, and the carrier fails the order (2nd airtime request (retry))",
    ["1st airtime request", "2nd airtime request (retry)"],
  ],
  [
    [faultAt("reset-before-accept", DETAILS)],
    "airtime-details-1-reset-before-accept",
    "the connection is reset (1st account-details request (airtime))",
    ["1st account-details request (airtime)"],
  ],
  [
    [faultAt("credentials-revoked")],
    "airtime-1-credentials-revoked",
    "the credentials are revoked between two orders",
    ["1st airtime request"],
  ],
  [
    [FAILED, { ...FAILED, operation: "sms" as const }],
    "airtime-1-result-failed-and-sms-1-result-failed",
    "the carrier fails the order (1st airtime request), and the carrier fails the order (1st sms request)",
    ["1st airtime request", "1st sms request"],
  ],
])("the faults %j are named and told, and have their places in the matrix", (faults, id, words, points) => {
  const { places, ...trial } = planTrial(experimentWith("sms", faults));

  expect({ ...trial, points: places.map(({ point }) => point) }).toEqual({
    id,
    operation: "sms",
    faults: words,
    points,
  });
});

test("a named experiment is in the row of its name", () => {
  expect(planTrial(NAMED.get("five-customers-at-once") ?? experiment()).places).toEqual([
    { point: "1st airtime request", fault: "five-customers-at-once" },
  ]);
});

test("a point is called by its place among the requests of its kind", () => {
  expect([1, 2, 3, 4, 11, 20, 22].map((nth) => describePoint({ ...DETAILS, nth }).split(" ")[0])).toEqual([
    "1st",
    "2nd",
    "3rd",
    "4th",
    "11th",
    "20th",
    "22nd",
  ]);
});

test("every fault is possible at the first request, only those of a request at a retry, and at details those that tell of it", () => {
  const [first, retry = [], details] = [FAILED, RETRY, DETAILS].map((point) =>
    faultsAt(point).map(({ fault }) => fault.id),
  );

  expect(first).toEqual(FAULTS.map(({ id }) => id));
  expect(first?.filter((id) => !retry.includes(id)).join(" ")).toBe(
    "wallet-empty credentials-revoked credentials-revoked-throughout",
  );
  expect(details).toEqual(FAULTS.flatMap(({ id, atDetails }) => (atDetails === undefined ? [] : [id])));
});

test("faults happen to the requests of their own order, or to all for account details, and change the account at their moment", () => {
  const [one, two] = [faultAt("result-failed", RETRY), faultAt("reset-before-accept", DETAILS)];
  const { rules } = scenarioOf([
    { phoneNumber: "254712000001", faults: [one] },
    { phoneNumber: "254712000002", faults: [two] },
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
  const drawn = withDraws(NAMED.get("numbers-of-three-carriers") ?? experiment(), [1, 2, 3]);

  await runner.run([drawn]);
  await runner.run([drawn]);
  await runner.run([experiment()]);

  const orders = trials.flatMap(({ steps }) => steps.flatMap((step) => ("place" in step ? step.place : [])));
  const [first, again, other] = [orders.slice(0, 3), orders.slice(3, 6), orders.slice(6)];
  const same = (some: typeof orders) =>
    some.map(({ amount, message, phoneNumber }) => [amount, message, phoneNumber.slice(0, 5), phoneNumber.slice(-4)]);
  expect(same(again)).toEqual(same(first));
  expect(new Set(first.map(({ amount }) => amount)).size).toBe(3);
  expect(new Set(orders.flatMap(({ phoneNumber, reference }) => [phoneNumber, reference])).size).toBe(14);
  expect(same(other)).not.toEqual(same(first).slice(0, 1));
});

test("no two of 9,999 draws, each repeated a hundred times, share a number", () => {
  const options = { seed: 7, startedAt: 1_763_000_000_000, map: {} };
  const numbers = new Set<string>();

  for (let draw = 1; draw < 10_000; draw += 13)
    for (let repeat = 0; repeat < 100; repeat += 1)
      numbers.add(newOrder("sms", { ...options, draw, repeat }).phoneNumber);

  expect(numbers.size).toBe(Math.ceil(9_999 / 13) * 100);
});

const TWO = [experiment("callback-late"), experiment("callback-twice")];

test.each<[string, readonly (Experiment | undefined)[], RunOptions, unknown[], object]>([
  ["experiments in parallel have an order each, placed at once", TWO, {}, [2], { isPatient: false }],
  [
    "an account fault between orders has an earlier order",
    [experiment("credentials-revoked")],
    {},
    [1, { requested: true }, { advance: 1 }, 1],
    {},
  ],
  ["one order is placed twice at once", [NAMED.get("same-order-twice")], {}, [2], {}],
  [
    "orders in turn each reach the gateway first",
    [NAMED.get("first-of-two-fails")],
    {},
    [1, { requested: true }, 1, { requested: true }],
    {},
  ],
  [
    "a restart gets the full time",
    [NAMED.get("restart-during-order")],
    {},
    [1, { requested: true }, { restart: true }],
    { isPatient: true },
  ],
  [
    "a plain order is asked about while its answer is held",
    [experiment()],
    { isHeld: true },
    [1, { held: {} }],
    { scenarios: [HELD_ANSWER, {}] },
  ],
  [
    "a profile is played",
    [NAMED.get("profile-callback-text")],
    {},
    [5],
    { profileChange: { callback_values: "text" } },
  ],
  [
    "what comes after goes on",
    [experiment()],
    { isContinued: true, isPatient: true },
    [1],
    { isContinued: true, isPatient: true },
  ],
])("of a run, %s", async (_what, experiments, options, steps, trial) => {
  const { runner, trials } = runnerOf(() => ({ events: [] }));

  await runner.run(
    experiments.flatMap((one) => one ?? []),
    options,
  );

  expect(trials[0]?.steps.map((step) => ("place" in step ? step.place.length : step))).toMatchObject(steps);
  expect(trials[0]).toMatchObject(trial);
});

/** Each order is accepted and delivered so many times. */
function delivered(times: number, more: Partial<Happened> = {}): Parameters<typeof runnerOf>[0] {
  return (orders) => ({
    events: orders.flatMap(({ phoneNumber, amount }, at) =>
      Array.from({ length: times }, (_, nth) => `r${at}-${nth}`).flatMap((id) => [
        accepted(id, at, { order: airtime(amount, phoneNumber) }),
        settled(id, at + 1),
      ]),
    ),
    ...more,
  });
}

const IMBALANCE = { imbalance: defectOf("balance-race") };
const OPEN = { orders: Array.from({ length: 5 }, () => ({ claimed: { claim: "open", said: "open" } as const })) };
const FIVE = [NAMED.get("five-customers-at-once")];
const LATE = TWO.slice(0, 1);
const BUSY = { isTooBusy: true };

test.each<[string, Parameters<typeof runnerOf>[0], readonly (Experiment | undefined)[], string[]]>([
  ["a wrong total of one experiment is its defect", delivered(1, IMBALANCE), FIVE, ["defect balance-race"]],
  ["but not beside the defect of an order", delivered(2, IMBALANCE), FIVE, ["defect sold-twice"]],
  ["a wrong total of several is nobody's", delivered(1, IMBALANCE), TWO, ["right", "right"]],
  ["nor is it told on a busy machine", delivered(1, { ...IMBALANCE, ...BUSY }), TWO, ["not assessed", "not assessed"]],
  ["what a busy machine may look like is not told", () => ({ events: [], ...OPEN, ...BUSY }), LATE, ["open"]],
  ["but what is right stays so", delivered(1, BUSY), LATE, ["right"]],
  ["and what was sold twice was", delivered(2, BUSY), LATE, ["defect sold-twice"]],
  [
    "an order that must be sent and is not is a defect",
    () => ({ events: [], ...OPEN }),
    [NAMED.get("restart-before-request")],
    ["defect taken-not-sent"],
  ],
  ["an unmet condition hides no defect", delivered(2), [NAMED.get("restart-after-order")], ["defect sold-twice"]],
  [
    "half a minute is no limit on a busy machine either",
    (orders) => ({
      events: [...delivered(1)(orders, { version: 1, name: "" }).events, clientWaits("r0-0", 33)],
      ...BUSY,
    }),
    LATE,
    ["defect waits-forever"],
  ],
])("what a run shows: %s", async (_what, happen, experiments, verdicts) => {
  const { results } = await runnerOf(happen).runner.run(experiments.flatMap((one) => one ?? []));

  expect(results.map(({ verdict, defect }) => `${verdict} ${defect?.id ?? ""}`.trim())).toEqual(verdicts);
});

test("orders in parallel that ask for account details more often than plain ones do are noticed", async () => {
  const asking = (times: number) =>
    delivered(1, { events: Array.from({ length: times }, (_, at) => queried(`d${at}`, at)) });
  const { runner } = runnerOf(asking(2));
  const plain = await runnerOf(asking(1)).runner.run([experiment()]);

  for (const result of plain.results) runner.learn(result);
  const seen = [await runner.run(TWO), await runnerOf(asking(3)).runner.run(TWO), await runner.run(LATE)];

  expect(seen.map(({ results }) => results.map((one) => one.hasExtraDetailsRequests))).toEqual([
    [false, false],
    [true, true],
    [false],
  ]);
});
