import type { ClockSettings } from "../../gateway/settings/clock.ts";
import type { Exchange, Finding, Severity } from "../checks/finding.ts";
import { DAY, formatDuration, formatInstant, HOUR, type Millis, SECOND } from "../../gateway/domain/time.ts";
import type { Report, TimelineEntry, Verdict } from "./report.ts";

/** Most severe first. */
export const SEVERITIES = ["defect", "risk", "cost", "hint"] as const satisfies readonly Severity[];

const VERDICTS = ["passed", "failed", "not assessed"] as const satisfies readonly Verdict["is"][];

/** The number of checks by verdict, and of findings by severity. */
export interface Tally {
  readonly checks: Readonly<Record<Verdict["is"], number>>;
  readonly findings: Readonly<Record<Severity, number>>;
}

export function tally(reports: readonly Report[]): Tally {
  const verdicts = reports.flatMap(({ checks }) => checks.map(({ verdict }) => verdict.is));
  const severities = reports.flatMap(({ findings }) => findings.map(({ severity }) => severity));
  return { checks: countEach(VERDICTS, verdicts), findings: countEach(SEVERITIES, severities) };
}

/** "3 checks: 1 passed, 1 failed, 1 not assessed; 2 findings: 1 defect, 1 cost". */
export function describeTally({ checks, findings }: Tally): string {
  return `${describeCounts("check", checks)}; ${describeCounts("finding", findings)}`;
}

/** Sorts findings, most severe first, otherwise in the order in which they were first seen. */
export function bySeverity(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((one, other) => SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity));
}

/** Describes an exchange: what was sent, its outcome, and the request_id. */
export function describeExchange(exchange: Exchange, timeline: ReadonlyMap<string, TimelineEntry>): string {
  const told = timeline.get(exchangeKey(exchange));
  const name =
    exchange.kind === "request"
      ? `request ${exchange.requestId}`
      : `callback ${exchange.attempt} of ${exchange.requestId}`;
  return told === undefined ? name : `${told.title} → ${told.outcome} (${name})`;
}

/** Indexes timeline entries by exchange. If several are about one request, the first is the request itself. */
export function indexTimeline(timeline: readonly TimelineEntry[]): Map<string, TimelineEntry> {
  return new Map(timeline.toReversed().map((entry) => [exchangeKey(entry.exchange), entry]));
}

export function exchangeKey(exchange: Exchange): string {
  return exchange.kind === "request" ? exchange.requestId : `${exchange.requestId} ${exchange.attempt}`;
}

/** Formats a duration for people: "40ms", "2.1s". */
export function formatDurationShort(duration: Millis): string {
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

/** "once", "3 times". */
export function describeTimes(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

function countEach<Name extends string>(names: readonly Name[], seen: readonly Name[]): Record<Name, number>;
function countEach(names: readonly string[], seen: readonly string[]): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, seen.filter((one) => one === name).length]));
}

function describeCounts(noun: string, counts: Readonly<Record<string, number>>): string {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const each = Object.entries(counts).flatMap(([name, count]) => (count === 0 ? [] : [`${count} ${name}`]));
  return `${total === 0 ? "no" : total} ${noun}${total === 1 ? "" : "s"}${each.length === 0 ? "" : `: ${each.join(", ")}`}`;
}

/** Describes the account's clock, and what does not follow it. */
export function describeClock(clock: ClockSettings): string {
  const own = "the application's own timers and response times are wall time";
  switch (clock.mode) {
    case "real":
      return "real: the account's time is wall time";
    case "scaled":
      return `x${clock.scale}: the account's time went ${clock.scale} times as fast as wall time; ${own}`;
    case "manual":
      return `manual: the account's time moved only when a step advanced it; ${own}`;
  }
}
