import type { ExplorationProgress, ReportJson } from "../../../verdict/endpoints/shapes.ts";
import { MINUTE } from "../../../gateway/domain/time.ts";
import { counted } from "../../../gateway/domain/counted.ts";
import { wallNow } from "../../live/store.ts";
import { countProblems } from "../../../verdict/severities.ts";
import { type ListedProblem } from "../../live/backend-problems.ts";

/** An exploration that reports nothing for this long counts as over. The slowest run waits half a minute for a client. */
const SILENT = 2 * MINUTE;

/** Returns whether the exploration is still running. One that was killed never reports its end. */
export function isRunning({
  is_over: isOver,
  started_at: startedAt,
  duration_ms: millis,
}: ExplorationProgress): boolean {
  return !isOver && wallNow.value - (Date.parse(startedAt) + millis) < SILENT;
}

/** "Exploring: 31 of 44 faults tried. So far: 1 defect. Now: 12 orders at once." Counts what is listed, with what was seen live. */
export function describeExploration(report: ExplorationProgress, listed: readonly ListedProblem[]): string {
  const { name, doing, done, total, summary, is_over: isOver } = report;
  // A rehearsal tries no faults one by one.
  const covered = total === 0 ? name : `${done} of ${counted(total, "fault")} tried`;
  if (isRunning(report)) return `Exploring: ${covered}. So far: ${countProblems(listed)}. Now: ${doing}.`;
  const state = total === 0 ? "Rehearsed" : "Explored";
  const live = listed.filter(({ reported }) => reported === undefined);
  const seen = live.length === 0 ? "" : `; seen live: ${countProblems(live)}`;
  return `${summary}${seen}. ${isOver ? state : "Broken off"}: ${covered}.`;
}

/** Says what the report could not judge, and why. */
export function describeUnjudged({ trials, stopped, not_looked_at: unseen }: ReportJson): string[] {
  const verdicts = trials.flatMap((trial) => trial.verdicts).filter(({ id }) => id !== "not-tried");
  const open = verdicts.filter(({ is }) => is === "open").length;
  const reasons = new Map<string, number>();
  for (const { is, seen } of verdicts) if (is === "not assessed") reasons.set(seen, (reasons.get(seen) ?? 0) + 1);
  return [
    ...(open > 0 ? [`Correct: ${counted(open, "order")} left open for review, because nobody could know more.`] : []),
    ...Array.from(reasons, ([reason, count]) => `Not assessed: ${counted(count, "order")}, because ${reason}.`),
    ...(stopped === undefined ? [] : [`Not everything was tried: ${stopped}.`]),
    ...(unseen.length === 0 ? [] : [`Not looked at: ${unseen.join(", ")}.`]),
  ];
}
