import { formatDuration, type Millis, SECOND } from "../../gateway/domain/time.ts";
import { type Report, type ReportedProblem, SEVERITIES } from "./report.ts";

/** "No defect", "1 defect, 2 risks". */
export function describeProblems({ problems }: Pick<Report, "problems">): string {
  const counts = SEVERITIES.flatMap((severity) => {
    const number = problems.filter(({ is }) => is === severity).length;
    if (number > 0) return [plural(number, severity)];
    return severity === "defect" ? ["no defect"] : [];
  });
  const words = counts.join(", ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** "31 of 43 faults tried in 17 runs (294 redundant ones skipped), seed 7, took 2.1s"; of what was not explored, "3 trials, …". */
export function describeRun(report: Report): string {
  const { total, runs, redundant, seed, duration_ms: millis } = report;
  const skipped = redundant === 0 ? "" : ` (${count(redundant)} redundant ones skipped)`;
  const explored = `${describeTried(report)} in ${plural(runs, "run")}${skipped}`;
  return `${total === 0 ? plural(report.trials.length, "trial") : explored}, seed ${seed}, took ${formatShort(millis)}`;
}

function describeTried({ done, total }: Report): string {
  return `${count(done)} of ${plural(total, "fault")} tried`;
}

/** The current activity, what is left, and an estimate: "the connection is reset: 12 of 48 faults tried, 1 defect, about 40 s left". */
export function describeProgress(report: Report): string {
  const { doing, done, total, duration_ms: millis, problems } = report;
  const left = done > 0 && done < total ? `, about ${formatShort((millis / done) * (total - done))} left` : "";
  const defects = problems.filter(({ is }) => is === "defect").length;
  return `${doing}: ${describeTried(report)}, ${plural(defects, "defect")}${left}`;
}

/** Everything after the problems: what is rightly open, what was not assessed, not tried, or not looked at. */
export function describeRest({ trials, stopped, not_looked_at: unseen }: Report): string[] {
  const verdicts = trials.flatMap((trial) => trial.verdicts);
  const open = verdicts.filter(({ is }) => is === "open").length;
  const reasons = new Map<string, number>();
  for (const { is, seen } of verdicts) if (is === "not assessed") reasons.set(seen, (reasons.get(seen) ?? 0) + 1);
  const isLeft = `Correct: ${plural(open, "order")} left open for review, because nobody could know the outcome.`;
  return [
    ...(open === 0 ? [] : [isLeft]),
    ...[...reasons].map(([reason, number]) => `Not assessed: ${number} (${reason})`),
    ...(stopped === undefined ? [] : [`Not everything was tried: ${stopped}.`]),
    ...(unseen.length === 0 ? [] : [`Not looked at: ${unseen.join(", ")}.`]),
    ...trials.flatMap(({ evicted }) =>
      evicted === undefined ? [] : [`Incomplete: the first ${evicted} requests were evicted from the journal.`],
    ),
  ];
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

/** Formats a duration for people: "40ms", "2.1s". */
export function formatShort(duration: Millis): string {
  return duration < SECOND ? formatDuration(Math.round(duration)) : `${(duration / SECOND).toFixed(1)}s`;
}

/** "1 defect", "1,830 defects". */
function plural(number: number, noun: string): string {
  return `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
}

function count(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}
