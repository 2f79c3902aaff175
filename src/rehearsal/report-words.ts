import type { Exchange, Finding, Severity } from "../findings/finding.ts";
import { DAY, formatDuration, formatInstant, HOUR, type Millis, SECOND } from "../domain/time.ts";
import type { Report, StoryEntry, Verdict } from "./report.ts";

/** The gravest first. */
export const SEVERITIES = ["defect", "risk", "cost", "hint"] as const satisfies readonly Severity[];

const VERDICTS = ["passed", "failed", "not assessed"] as const satisfies readonly Verdict["is"][];

/** How many checks ended how, and how many findings there are of each severity. */
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
export function sayTally({ checks, findings }: Tally): string {
  return `${sayCounts("check", checks)}; ${sayCounts("finding", findings)}`;
}

/** A report's findings, the gravest first, otherwise in the order in which they were first seen. */
export function byGravity(findings: readonly Finding[]): Finding[] {
  return findings.toSorted((one, other) => SEVERITIES.indexOf(one.severity) - SEVERITIES.indexOf(other.severity));
}

/** How an exchange is told: what crossed the wire, what came of it, and its request_id to look it up by. */
export function tellExchange(exchange: Exchange, story: ReadonlyMap<string, StoryEntry>): string {
  const told = story.get(exchangeKey(exchange));
  const name = exchange.kind === "request" ? `request ${exchange.requestId}` : `callback ${exchange.attempt} of ${exchange.requestId}`;
  return told === undefined ? name : `${told.title} → ${told.outcome} (${name})`;
}

/** A story's entries by what crossed the wire; of several about one request, the first is the request itself. */
export function indexStory(story: readonly StoryEntry[]): Map<string, StoryEntry> {
  return new Map(story.toReversed().map((entry) => [exchangeKey(entry.exchange), entry]));
}

export function exchangeKey(exchange: Exchange): string {
  return exchange.kind === "request" ? exchange.requestId : `${exchange.requestId} ${exchange.attempt}`;
}

/** A length of time for people: "40ms", "2.1s". */
export function sayTook(took: Millis): string {
  return took < SECOND ? formatDuration(Math.round(took)) : `${(took / SECOND).toFixed(1)}s`;
}

/** Time since a beginning, to the millisecond: "+0:02.400", "+1:00:00.000", "+3d 02:00:00.000". */
export function sayElapsed(elapsed: Millis): string {
  const days = Math.floor(elapsed / DAY);
  const hours = Math.floor((elapsed % DAY) / HOUR);
  const clock = formatInstant(elapsed % HOUR).slice("1970-01-01T00:".length, -1);
  if (days > 0) return `+${days}d ${String(hours).padStart(2, "0")}:${clock}`;
  return hours > 0 ? `+${hours}:${clock}` : `+${clock.replace(/^0/, "")}`;
}

/** "once", "3 times". */
export function sayTimes(count: number): string {
  return count === 1 ? "once" : `${count} times`;
}

function countEach<Name extends string>(names: readonly Name[], seen: readonly Name[]): Record<Name, number>;
function countEach(names: readonly string[], seen: readonly string[]): Record<string, number> {
  return Object.fromEntries(names.map((name) => [name, seen.filter((one) => one === name).length]));
}

function sayCounts(noun: string, counts: Readonly<Record<string, number>>): string {
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0);
  const each = Object.entries(counts).flatMap(([name, count]) => (count === 0 ? [] : [`${count} ${name}`]));
  return `${total === 0 ? "no" : total} ${noun}${total === 1 ? "" : "s"}${each.length === 0 ? "" : `: ${each.join(", ")}`}`;
}
