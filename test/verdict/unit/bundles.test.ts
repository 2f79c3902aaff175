import { expect, test } from "vitest";
import { bundle, explainSlowness, ordersAtOnce, Parallelism } from "../../../src/verdict/exploration/bundles.ts";
import { type Experiment, experimentWith } from "../../../src/verdict/exploration/experiment.ts";
import { firstExperiments, uncovered } from "../../../src/verdict/exploration/plan.ts";
import {
  applicationOf,
  defectOf,
  DETAILS,
  experiment,
  faultAt,
  FULL_MAP,
  named,
  NAMED,
  resultOf,
  RETRY,
  runOf,
} from "../../support/experiments.ts";

function bundled(experiments: readonly Experiment[], areAlone = false): string[] {
  return bundle(experiments, { areAlone }).map(
    ({ kind, experiments: some }) => `${kind}: ${some.map(({ id }) => id.replaceAll("airtime-1-", "")).join(", ")}`,
  );
}

const MIXED =
  "result-failed refused-401 hang-after-accept refused-422 wallet-empty callback-late reset-after-accept callback-twice refused-429 never-settles failure-twice";

test("orders run together if the application reacts to them alike, what loses most money first, one that fails beside one that does not, and last what may halt it", () => {
  const atDetails = experimentWith("airtime", [faultAt("reset-before-accept", DETAILS)]);
  const twice = named("same-order-twice");
  const two = ["refused-422", "refused-402", "wallet-empty"].map((id) => experiment("reset-after-accept", id));

  expect(bundled([atDetails, twice, ...MIXED.split(" ").map((id) => experiment(id)), ...two])).toEqual([
    "unknown: reset-after-accept, never-settles, reset-after-accept-and-refused-422",
    "told: result-failed, callback-late",
    "told: callback-twice, failure-twice",
    "special: airtime-same-order-twice",
    "unknown: hang-after-accept",
    "refused: refused-422, refused-429",
    "details: airtime-details-1-reset-before-accept",
    "refused: refused-401, reset-after-accept-and-refused-402",
    "refused: wallet-empty",
    "refused: reset-after-accept-and-wallet-empty",
  ]);
  expect(bundled([experiment("callback-late"), experiment("callback-twice")], true)).toHaveLength(2);
});

test("what takes long because of the application is told with its cause", () => {
  const experiments = Array.from({ length: 9 }, () => experiment("reset-after-accept"));

  expect(
    [true, false].map((hasStatusOfEach) => explainSlowness(experiments, { hasStatusOfEach, map: {} }, 20_000)),
  ).toEqual([
    "the application may need 20s after a callback: at least 1 run, about 1 min; the most dangerous faults come first",
    "status in the app map names no order, so orders are placed one by one: at least 9 runs, about 3 min; the most dangerous faults come first",
  ]);
  expect(explainSlowness(experiments, { hasStatusOfEach: true, map: {} }, 5_000)).toBeUndefined();
});

test("what orders need of an application at once is known of each experiment", () => {
  const needed = Object.fromEntries([...NAMED].map(([name, one]) => [name, ordersAtOnce(one)]));

  expect(needed).toMatchObject({
    "five-customers-at-once": 5,
    "first-of-two-fails": 2,
    "numbers-of-three-carriers": 1,
    "profile-callback-text": 1,
    "same-order-twice": 2,
    "second-order-alike": 1,
    "restart-after-order": 1,
  });
  expect(["credentials-revoked", "result-failed"].map((id) => ordersAtOnce(experiment(id)))).toEqual([2, 1]);
});

test("an application that takes few orders at once gets no more, and no experiment that needs more", () => {
  const application = applicationOf({ ...FULL_MAP, at_once: 2 });
  const baseline = [resultOf({ points: [RETRY, { ...RETRY, nth: 1 }] })];

  const planned = [
    ...firstExperiments(baseline, { application }),
    ...uncovered(baseline, new Set(), { application }).experiments,
  ];

  const bundles = bundle(planned).flatMap((one) => new Parallelism(2).split(one));
  expect(Math.max(...planned.map(ordersAtOnce))).toBe(2);
  expect(Math.max(...bundles.map(({ experiments }) => experiments.length))).toBe(2);
  expect(explainSlowness(planned, application, 5_000)).toContain(
    "at_once in the app map is 2, so few orders are placed at once",
  );
});

const LATE = resultOf({ defect: defectOf("callback-answered-late") });

test.each<[string, (parallelism: Parallelism) => unknown, number[], string]>([
  ["on a calm machine", (parallelism) => parallelism.note({ loadMillis: 300 }), [48, 1], "calm"],
  ["on a busy one", (parallelism) => parallelism.note({ loadMillis: 301 }), [24, 24, 1], "the machine was busy"],
  [
    "if an application answers late beside others alone",
    (parallelism) => parallelism.noteConfirmed(runOf([LATE]), [resultOf()]),
    [24, 24, 1],
    "alone, it did not",
  ],
  ["if it answers late alone, too", (parallelism) => parallelism.noteConfirmed(runOf([LATE]), [LATE]), [48, 1], "calm"],
])("how many orders run at once %s", (_what, happen, sizes, words) => {
  const parallelism = new Parallelism();
  parallelism.noteBaseline({ ...runOf([]), loadMillis: 60 });

  happen(parallelism);

  const all = bundle(Array.from({ length: 49 }, () => experiment("reset-after-accept")));
  expect(all.flatMap((one) => parallelism.split(one)).map(({ experiments }) => experiments.length)).toEqual(sizes);
  expect(parallelism.describe() ?? "calm").toContain(words);
});
