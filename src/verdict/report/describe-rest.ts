import { counted } from "../../gateway/domain/counted.ts";
import type { Verdict } from "../verdict.ts";
import { MISLED_ID, NOT_TRIED_ID } from "../verdict-ids.ts";
import type { Report } from "./report.ts";

/** Everything after the problems: what is rightly open, what was not assessed, not tried, or not looked at. The page says it, too. */
export function describeRest(report: Report): string[] {
  const { trials, stopped, machine, not_looked_at: unseen } = report;
  const verdicts = trials.flatMap((trial) => trial.verdicts).filter(({ id }) => id !== NOT_TRIED_ID);
  const misled = verdicts.filter(({ id }) => id === MISLED_ID);
  const open = verdicts.filter(({ is }) => is === "open").length - misled.length;
  const reasons = countSeen(verdicts.filter(({ is }) => is === "not assessed"));
  const missing = trials.reduce((sum, { evicted = 0 }) => sum + evicted, 0);
  const leftOpen = `Correct: ${counted(open, "order")} left open for review, because nobody could know the outcome.`;
  return [
    ...(open === 0 ? [] : [leftOpen]),
    ...countSeen(misled).map(([seen, number]) => `Open: ${counted(number, "order")}, because ${seen}.`),
    ...reasons.map(([reason, number]) => `Not assessed: ${number} (${reason})`),
    ...(machine === undefined ? [] : [machine]),
    ...(stopped === undefined ? [] : [describeStop(report)]),
    ...(unseen.length === 0 ? [] : [`Not looked at: ${unseen.join(", ")}.`]),
    ...(missing === 0
      ? []
      : [`Incomplete: ${counted(missing, "request is", "requests are")} no longer in the journal.`]),
  ];
}

/** Counts what was seen, in the order in which it was first seen. */
function countSeen(verdicts: readonly Pick<Verdict, "seen">[]): [seen: string, number: number][] {
  const counts = new Map<string, number>();
  for (const { seen } of verdicts) counts.set(seen, (counts.get(seen) ?? 0) + 1);
  return [...counts];
}

/** A rehearsal has no faults to count. */
function describeStop({ stopped, done, total }: Pick<Report, "stopped" | "done" | "total">): string {
  return total === 0
    ? `Not everything was tried: ${stopped}.`
    : `Stopped after ${done.toLocaleString("en")} of ${counted(total, "fault")}: ${stopped}.`;
}

/** Names the trials of several rehearsals by how they ended. */
export function listOutcomes({ trials, total }: Pick<Report, "trials" | "total">): string[] {
  if (total > 0 || trials.length < 2) return [];
  const names = { Passed: "", Failed: "", "Not assessed": "" };
  for (const { id, verdict, verdicts } of trials) {
    const isFailed = verdicts.some(({ is }) => is === "defect");
    const outcome = isFailed ? "Failed" : verdict === "not assessed" ? "Not assessed" : "Passed";
    names[outcome] += names[outcome] === "" ? id : `, ${id}`;
  }
  return Object.entries(names).flatMap(([outcome, ids]) => (ids === "" ? [] : [`${outcome}: ${ids}.`]));
}
