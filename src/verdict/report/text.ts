import { DAY, formatDuration, formatInstant, HOUR, type Millis, SECOND } from "../../gateway/domain/time.ts";
import type { Exchange } from "../checks/finding.ts";
import { defectsOf, problemsOf } from "./problems.ts";
import { type Report, SEVERITIES, type ReportedEntry, type TrialReport, type VerdictKind } from "./report.ts";

/** "No defect.", "1 defect, 2 risks." */
export function describeProblems(report: Pick<Report, "trials">): string {
  const problems = problemsOf(report);
  const counts = SEVERITIES.flatMap((severity) => {
    const count = problems.filter(({ is }) => is === severity).length;
    return count === 0 ? [] : [plural(count, severity)];
  });
  const none = problems.some(({ is }) => is === "defect") ? [] : ["no defect"];
  const words = [...none, ...counts].join(", ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** "31 of 43 faults tried"; for what was not explored, "3 trials". */
export function describeCoverage({ trials, progress: { done, total } }: Pick<Report, "trials" | "progress">): string {
  return total > 0 ? `${count(done)} of ${plural(total, "fault")} tried` : plural(trials.length, "trial");
}

/** "17 runs (294 redundant ones skipped)". */
export function describeRuns({ progress: { runs, redundant } }: Pick<Report, "progress">): string {
  return `${plural(runs, "run")}${redundant === 0 ? "" : ` (${count(redundant)} redundant ones skipped)`}`;
}

/** The current activity, what is left, and an estimate: "the connection is reset: 12 of 48 faults tried, 1 defect, about 40 s left". */
export function describeProgress(report: Report): string {
  const { progress, durationMillis } = report;
  const { doing, done, total } = progress;
  const left = done > 0 && done < total ? `, about ${formatShort((durationMillis / done) * (total - done))} left` : "";
  return `${doing}: ${describeCoverage(report)}, ${plural(defectsOf(report).length, "defect")}${left}`;
}

/** The reasons why trials were not assessed, each with their number. */
export function describeNotAssessed({ trials }: Pick<Report, "trials">): string[] {
  return reasonsOf(trials, "not assessed").map(([reason, count]) => `Not assessed: ${count} (${reason})`);
}

/** Orders that are rightly left open. */
export function describeOpen({ trials }: Pick<Report, "trials">): string | undefined {
  const open = trials.flatMap(({ verdicts }) => verdicts.filter(({ is }) => is === "open")).length;
  if (open === 0) return undefined;
  return `Correct: ${plural(open, "order")} left open for review, because nobody could know the outcome.`;
}

export function describeNotLookedAt({ notLookedAt }: Pick<Report, "notLookedAt">): string | undefined {
  return notLookedAt.length === 0 ? undefined : `Not looked at: ${notLookedAt.join(", ")}.`;
}

function reasonsOf(trials: readonly TrialReport[], is: VerdictKind): [string, number][] {
  const reasons = new Map<string, number>();
  for (const { verdicts } of trials)
    for (const verdict of verdicts)
      if (verdict.is === is) reasons.set(verdict.seen, (reasons.get(verdict.seen) ?? 0) + 1);
  return [...reasons];
}

/** Describes an exchange: what was sent, its outcome, and the request_id. */
export function describeExchange(exchange: Exchange, timeline: ReadonlyMap<string, ReportedEntry>): string {
  const told = timeline.get(exchangeKey(exchange));
  const name =
    exchange.kind === "request"
      ? `request ${exchange.requestId}`
      : `callback ${exchange.attempt} of ${exchange.requestId}`;
  return told === undefined ? name : `${told.title} → ${told.outcome}`;
}

/** Indexes timeline entries by exchange. If several are about one request, the first is the request itself. */
export function indexTimeline(timeline: readonly ReportedEntry[]): Map<string, ReportedEntry> {
  return new Map(timeline.toReversed().map((entry) => [exchangeKey(entry.exchange), entry]));
}

function exchangeKey(exchange: Exchange): string {
  return exchange.kind === "request" ? exchange.requestId : `${exchange.requestId} ${exchange.attempt}`;
}

/** Formats a duration for people: "40ms", "2.1s". */
export function formatShort(duration: Millis): string {
  return duration < SECOND ? formatDuration(Math.round(duration)) : `${(duration / SECOND).toFixed(1)}s`;
}

/** Formats elapsed time to the millisecond: "+0:02.400", "+1:00:00.000", "+3d 02:00:00.000". */
export function formatElapsed(elapsed: Millis): string {
  const days = Math.floor(elapsed / DAY);
  const hours = Math.floor((elapsed % DAY) / HOUR);
  const clock = formatInstant(elapsed % HOUR).slice("1970-01-01T00:".length, -1);
  if (days > 0) return `+${days}d ${String(hours).padStart(2, "0")}:${clock}`;
  return hours > 0 ? `+${hours}:${clock}` : `+${clock.replace(/^0/, "")}`;
}

/** "1 defect", "1,830 defects". */
function plural(number: number, noun: string): string {
  return `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
}

/** The command that plays a trial again. */
export function replayCommand(
  { id, file, places }: TrialReport,
  { seed, replays }: { readonly seed: number; readonly replays: ReadonlyMap<string, string> },
): string | undefined {
  const path = replays.get(id) ?? file;
  if (path !== undefined) return `kredo rehearse ${path}`;
  if (places.length === 0) return undefined;
  return `kredo explore ${places.map(({ fault }) => `--fault ${fault}`).join(" ")} --seed ${seed}`;
}

function count(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, ",");
}
