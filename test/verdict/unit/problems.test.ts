import { expect, test } from "vitest";
import { createReport } from "../../../src/verdict/report/problems.ts";
import type { TrialReport } from "../../../src/verdict/report/report.ts";
import { sampleReport, sampleTrial } from "../../support/sample-report.ts";

function trialOf(...faults: readonly string[]): TrialReport {
  return sampleTrial({
    id: faults.join(" "),
    places: faults.map((fault) => ({ point: "1st airtime request", fault })),
  });
}

function causesOf(trials: TrialReport[]): string[][] {
  return createReport(sampleReport({ trials })).problems.map((problem) => problem.trials);
}

test("a defect after one fault, whatever is added to it, has one cause", () => {
  const trials = [
    trialOf("reset-after-accept", "callback-never"),
    trialOf("reset-after-accept", "result-failed"),
    trialOf("reset-after-accept", "callback-twice-at-once"),
  ];

  expect(causesOf(trials)).toEqual([trials.map(({ id }) => id)]);
});

test("a defect after a single second fault is caused by that one, also where the fault is met alone", () => {
  const [added, alone] = [trialOf("reset-after-accept", "callback-never"), trialOf("callback-never")];

  expect(causesOf([added, alone])).toEqual([[added.id, alone.id]]);
});

test("faults that break the acknowledgment in other ways are one cause, and a failed result is another", () => {
  const trials = [trialOf("reset-after-accept"), trialOf("truncate-after-accept"), trialOf("result-failed")];

  expect(causesOf(trials).map(({ length }) => length)).toEqual([2, 1]);
});

test("an order that is sent again after a lost answer is one cause, whatever becomes of both orders", () => {
  const sold = trialOf("reset-after-accept");
  const repeated = trialOf("lost-ack-then-callback-twice");
  const [verdict] = sold.verdicts;
  const failed = {
    ...trialOf("lost-ack-then-failure", "result-failed"),
    verdicts: verdict === undefined ? [] : [{ ...verdict, id: "double-spend" }],
  };

  const { problems } = createReport(sampleReport({ trials: [sold, repeated, failed] }));

  expect(problems.map(({ id, trials }) => [id, trials.length])).toEqual([["sold-twice", 3]]);
});
