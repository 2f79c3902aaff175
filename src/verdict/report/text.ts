import { counted } from "../../gateway/domain/counted.ts";
import { countBySeverity, countProblems } from "../severities.ts";
import { exitCodeOf, isUntried, type Report, type ReportedProblem, type TrialReport } from "./report.ts";
import { describeTime, formatShort } from "../time-spent.ts";

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
