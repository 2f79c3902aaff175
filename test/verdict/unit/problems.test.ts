import { expect, test } from "vitest";
import { createReport } from "../../../src/verdict/report/problems.ts";
import type { TrialReport } from "../../../src/verdict/report/report.ts";
import { sampleReport, sampleTrial, SOLD_TWICE, verdictOf } from "../../support/sample-report.ts";

function trialOf(...faults: readonly string[]): TrialReport {
  return sampleTrial({
    id: faults.join(" "),
    places: faults.map((fault) => ({ point: "1st airtime request", fault })),
  });
}

function replayOf(trial: Partial<TrialReport>): string | undefined {
  return createReport(sampleReport({ trials: [sampleTrial(trial)] })).problems[0]?.replay;
}

test("defects of one check have one repair, and are one problem, whatever the fault", () => {
  const sold = trialOf("reset-after-accept");
  const [verdict] = sold.verdicts;
  const seenInTraffic = {
    ...trialOf("lost-ack-then-failure", "result-failed"),
    verdicts: verdict === undefined ? [] : [{ ...verdict, title: "An order was sold twice" }],
  };
  const trials = [sold, trialOf("truncate-after-accept", "callback-never"), seenInTraffic, trialOf("result-failed")];

  const { problems } = createReport(sampleReport({ trials }));

  expect(problems.map(({ id, trials: shown }) => ({ id, shown }))).toEqual([
    { id: "sold-twice", shown: trials.map(({ id }) => id) },
  ]);
});

test("of an exchange with several entries, a problem shows the first", () => {
  const [request] = sampleTrial().exchanges;
  const left = request && { ...request, title: "the client left", outcome: "gone" };
  const exchanges = [request, left].flatMap((entry) => entry ?? []);

  const { problems } = createReport(sampleReport({ trials: [sampleTrial({ exchanges })] }));

  expect(problems[0]?.exchanges.at(-1)).toEqual(request);
});

test("the exchanges of a problem are shown as they happened, so that a cause comes before its effect", () => {
  const [first, second] = sampleTrial().exchanges;
  const verdict = { ...SOLD_TWICE, exchanges: SOLD_TWICE.exchanges.toReversed() };

  const { problems } = createReport(sampleReport({ trials: [sampleTrial({ verdicts: [verdict] })] }));

  expect(problems[0]?.exchanges).toEqual([first, second]);
});

test("problems are sorted by severity, then by the money at risk", () => {
  const verdicts = [
    verdictOf("hint"),
    verdictOf("risk"),
    verdictOf("defect", { id: "callback-flood" }),
    verdictOf("defect", { id: "wrong-debit" }),
    verdictOf("defect", { id: "sold-twice" }),
  ];

  const { problems } = createReport(sampleReport({ trials: [sampleTrial({ verdicts })] }));

  expect(problems.map(({ id }) => id)).toEqual(["sold-twice", "wrong-debit", "callback-flood", "a-risk", "a-hint"]);
});

test("a check that fails no run is one problem, whatever its trials have in common", () => {
  const risk = verdictOf("risk");
  const trials = ["reset-after-accept", "result-failed"].map((fault) =>
    sampleTrial({ id: fault, places: [{ point: "1st airtime request", fault }], verdicts: [risk, risk] }),
  );

  const { problems } = createReport(sampleReport({ trials }));

  expect(problems.map(({ trials: shown }) => shown)).toEqual([["reset-after-accept", "result-failed"]]);
});

test("an account that was watched has no command that plays it again, and a trial of two faults names both", () => {
  const places = ["reset-after-accept", "result-failed"].map((fault) => ({ point: "1st airtime request", fault }));

  expect(replayOf({ places: [] })).toBeUndefined();
  expect(replayOf({ places })).toBe("kredo explore --fault reset-after-accept --fault result-failed --seed 7");
});

test.each([
  ["callback-flood", "it floods", ["reset-after-accept"], "It floods when the connection is reset."],
  ["callback-flood", "What now?", ["reset-after-accept"], "What now? when the connection is reset."],
  ["callback-flood", "is it on?", [], "Is it on?"],
  ["waits-forever", "The client waits without a timeout", [], "The client waits without a timeout."],
])("a defect of the traffic alone (%s), %s, is a sentence", (id, title, faults, words) => {
  const trial = { ...trialOf(...faults), verdicts: [verdictOf("defect", { id, title })] };

  expect(createReport(sampleReport({ trials: [trial] })).problems[0]?.sentence).toBe(words);
});

test.each([
  ["reset-after-accept", "When the connection is reset, the application sends it again."],
  [undefined, "The application sends it again."],
])("a defect of an order under the fault %s is a sentence about the application", (fault, words) => {
  const trial = trialOf(...(fault === undefined ? [] : [fault]));
  const verdicts = [verdictOf("defect", { id: "sold-twice", title: "sends it again" })];

  expect(createReport(sampleReport({ trials: [{ ...trial, verdicts }] })).problems[0]?.sentence).toBe(words);
});
