import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { Refresher } from "../../../src/dashboard/live/refresher.ts";
import { listProblems } from "../../../src/dashboard/live/backend-problems.ts";
import { finding, WORDS } from "./finding.ts";
import type { ReportedProblem } from "../../../src/verdict/endpoints/shapes.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("lists problems worst first, with the findings of one check together", () => {
  const findings = [finding("no-back-off", "a"), finding("sold-twice", "b", "defect"), finding("no-back-off", "c")];

  const problems = listProblems(findings, [reported("late", "hint")]);

  expect(problems.map(({ id, findings }) => [id, findings.map(({ subject }) => subject)])).toEqual([
    ["sold-twice", ["b"]],
    ["no-back-off", ["a", "c"]],
    ["late", []],
  ]);
});

test("an order that was sold twice comes before a callback that was not acknowledged, because more money is at risk", () => {
  const findings = [finding("callback-not-acknowledged", "", "defect"), finding("sold-twice", "", "defect")];

  const problems = listProblems(findings, [reported("outcome-lost")]);

  expect(problems.map(({ id }) => id)).toEqual(["sold-twice", "outcome-lost", "callback-not-acknowledged"]);
});

test("what was seen live and by the exploration is one problem, also where it follows from another", () => {
  const findings = [finding("callback-answered-late", ""), finding("repeated-at-once", "")];
  const soldTwice = { ...reported("sold-twice"), follows: [{ id: "repeated-at-once", is: "risk" as const, seen: "" }] };

  const problems = listProblems(findings, [soldTwice, reported("callback-answered-late")]);

  expect(problems.map(({ id, findings }) => [id, findings.map((one) => one.id)])).toEqual([
    ["sold-twice", ["repeated-at-once"]],
    ["callback-answered-late", ["callback-answered-late"]],
  ]);
});

test("reads at once, and once more after a rest however often it was asked meanwhile", async () => {
  const read = vi.fn<() => Promise<void>>(async () => undefined);
  const refresher = new Refresher(read);

  refresher.ask();
  refresher.ask();
  refresher.ask();
  const atOnce = read.mock.calls.length;
  await vi.advanceTimersByTimeAsync(1_000);
  const afterRest = read.mock.calls.length;
  await vi.advanceTimersByTimeAsync(10_000);

  expect({ atOnce, afterRest, read: read.mock.calls.length }).toEqual({ atOnce: 1, afterRest: 2, read: 2 });
});

test("reads again at the first asking after it rested", async () => {
  const read = vi.fn<() => Promise<void>>(async () => undefined);
  const refresher = new Refresher(read);
  refresher.ask();
  await vi.advanceTimersByTimeAsync(1_000);

  refresher.ask();

  expect(read).toHaveBeenCalledTimes(2);
});

test("reads no more once it is stopped", async () => {
  const read = vi.fn<() => Promise<void>>(async () => undefined);
  const refresher = new Refresher(read);
  refresher.ask();
  refresher.ask();

  refresher.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  refresher.ask();

  expect(read).toHaveBeenCalledTimes(1);
});

function reported(id: string, is: ReportedProblem["is"] = "defect"): ReportedProblem {
  return { ...WORDS, id, is, sentence: `${id}.`, follows: [], trials: ["t"] };
}
