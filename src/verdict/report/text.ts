import { counted } from "../../gateway/domain/counted.ts";
import { MISLED_ID } from "../orders/order-checks.ts";
import { countBySeverity, countProblems } from "../severities.ts";
import { exitCodeOf, isUntried, type Report, type ReportedProblem, type TrialReport } from "./report.ts";
import { describeTime, formatShort } from "../time-spent.ts";
import type { Verdict } from "../verdict.ts";

/** "No defect"; "1 defect, 2 risks"; once it is over and too little is known, "No verdict: 53 of 53 faults not tried". */
export function summarize({
  problems,
  trials,
  is_over: isOver,
}: Pick<Report, "problems" | "trials" | "is_over">): string {
  if (isOver && exitCodeOf({ trials }) === 3) return [describeUnknown(trials), ...countBySeverity(problems)].join("; ");
  return countProblems(problems);
}

/** The baseline of an exploration is none of its faults. */
function describeUnknown(trials: readonly TrialReport[]): string {
  const faults = trials.filter(({ places }) => places.length > 0);
  const [planned, noun] = faults.length > 0 ? [faults, "fault"] : [trials, "trial"];
  const unknown = planned.filter(({ verdict }) => verdict === "not assessed");
  const untried = unknown.filter(isUntried).length;
  const reason = unknown[0]?.verdicts.find(({ is }) => is === "not assessed")?.seen;
  if (planned.length <= 1 && untried === 0) return `No verdict: ${reason ?? "nothing was tried"}`;
  const of = `of ${counted(planned.length, noun)} not`;
  if (untried === 0) return `No verdict: ${count(unknown.length)} ${of} assessed`;
  const judged = unknown.length === untried ? "" : `, ${count(unknown.length - untried)} not assessed`;
  return `No verdict: ${count(untried)} ${of} tried${judged}`;
}

/** "31 of 43 faults tried in 17 runs (294 redundant ones skipped), seed 7, took 2.1s"; of what was not explored, "3 trials, …". */
export function describeRun(report: Report): string {
  const { total, runs, redundant, seed, duration_ms: millis, time } = report;
  const skipped = redundant === 0 ? "" : ` (${counted(redundant, "redundant one")} skipped)`;
  const explored = `${describeTried(report)} in ${counted(runs, "run")}${skipped}`;
  return `${total === 0 ? counted(report.trials.length, "trial") : explored}, seed ${seed}, took ${describeTime(millis, time)}`;
}

function describeTried({ done, total }: Report): string {
  return `${count(done)} of ${counted(total, "fault")} tried`;
}

/** The current activity, what is left, and an estimate: "the connection is reset: 12 of 48 faults tried, 1 defect, about 40 s left". */
export function describeProgress(report: Report): string {
  const { doing, done, total, duration_ms: millis, problems } = report;
  const left = done > 0 && done < total ? `, about ${formatShort((millis / done) * (total - done))} left` : "";
  const defects = problems.filter(({ is }) => is === "defect").length;
  return `${doing}: ${describeTried(report)}, ${counted(defects, "defect")}${left}`;
}

/** Everything after the problems: what is rightly open, what was not assessed, not tried, or not looked at. */
export function describeRest(report: Report): string[] {
  const { trials, stopped, machine, not_looked_at: unseen } = report;
  const verdicts = trials.filter((trial) => !isUntried(trial)).flatMap((trial) => trial.verdicts);
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
    : `Stopped after ${count(done)} of ${counted(total, "fault")}: ${stopped}.`;
}

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

/** What is told of a problem under one label. */
export interface ProblemDetail {
  readonly label: string;
  readonly texts: readonly string[];
}

/** Tells everything known about a problem, in the order in which every format shows it. */
export function describeProblem(problem: ReportedProblem, { trials }: Pick<Report, "trials">): ProblemDetail[] {
  const { truths, seen, count: times, exchanges, follows, why, repair, assumes, replay } = problem;
  const [first, ...others] = problem.trials;
  const details: Readonly<Record<string, string | undefined | readonly string[]>> = {
    truths: truths && `your backend says: ${truths.says}; the customer got ${truths.got}; you paid ${truths.paid}`,
    seen: `${seen}${times > 1 ? ` (${times} times)` : ""} (${first})`,
    exchanges: exchanges.map(({ title, outcome }) => (outcome === undefined ? title : `${title} → ${outcome}`)),
    "so also": follows.map((one) => `${one.seen.replace(/\.$/, "")} (${one.id})`),
    "also when": others.map((other) => `${trials.find(({ id }) => id === other)?.faults} (${other})`),
    why,
    repair,
    assumes,
    replay,
  };
  return Object.entries(details).flatMap(([label, told = []]) => {
    const texts = [told].flat();
    return texts.length === 0 ? [] : [{ label, texts }];
  });
}

function count(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}
