import { isRequestEvent } from "../../../gateway/account/event-guards.ts";
import type { Accepted } from "../../../gateway/account/events.ts";
import type { RequestRow } from "../../../gateway/account/readings/requests.ts";
import { formatDuration, type Instant, type Millis } from "../../../gateway/domain/time.ts";
import { sentAt } from "../../checks/sent-at.ts";
import { compileComparison } from "../../../gateway/scenario/comparison.ts";
import type { Verdict } from "../report.ts";
import type { RequestsCheck } from "../check-schema.ts";
import {
  EVICTED,
  type Evidence,
  exchangeOf,
  failed,
  notAssessed,
  passed,
  matchingRows,
  describeCount,
} from "./evidence.ts";

/** Judges how many requests the application sent, how far apart, and whether it repeated one. */
export function gradeRequests(expected: RequestsCheck, evidence: Evidence): Verdict {
  const rows = matchingRows(evidence, expected.match);
  const mistakes = [gradeRepeats, gradeSpacing].flatMap((grade) => grade(expected, rows, evidence) ?? []);
  const [mistake] = mistakes;
  if (mistake !== undefined) return mistake;
  if (!evidence.isComplete) return EVICTED;
  if (expected.count !== undefined && !compileComparison(expected.count)(rows.length))
    return failed(describeCount(rows.length, "request"), rows.map(exchangeOf));
  return whatIsMissing(expected, rows) ?? passed(describeSeen(expected, rows));
}

function gradeRepeats(
  { no_repeat }: RequestsCheck,
  rows: readonly RequestRow[],
  { kept }: Evidence,
): Verdict | undefined {
  if (!no_repeat) return undefined;
  const matched = new Set(rows.map(({ requestId }) => requestId));
  const accepted = kept.events
    .filter((event) => event.kind === "accepted")
    .filter(({ requestId }) => matched.has(requestId));
  const groups = [...groupByContent(accepted).values()].filter((group) => group.length > 1);
  const [first] = groups;
  if (first === undefined) return undefined;
  const more = groups.length > 1 ? ` (and ${groups.length - 1} more like this)` : "";
  const seen = `${first[0]?.order.operation} to ${first[0]?.order.phoneNumber} was accepted ${first.length} times with the same content${more}`;
  return failed(seen, groups.flat().map(exchangeOf));
}

function groupByContent(accepted: readonly Accepted[]): Map<number, Accepted[]> {
  const groups = new Map<number, Accepted[]>();
  for (const event of accepted) {
    const group = groups.get(event.content) ?? [];
    group.push(event);
    groups.set(event.content, group);
  }
  return groups;
}

function gradeSpacing(
  { spacing }: RequestsCheck,
  rows: readonly RequestRow[],
  { kept }: Evidence,
): Verdict | undefined {
  if (spacing === undefined) return undefined;
  const moments = new Map(kept.events.filter(isRequestEvent).map((event) => [event.requestId, sentAt(event)]));
  const sent = rows.map((row) => ({ row, at: moments.get(row.requestId) ?? row.at }));
  const near = sent.slice(1).flatMap((later, index) => nearPair(sent[index], later, spacing.min));
  const nearest = near.toSorted((one, other) => one.apart - other.apart)[0];
  if (nearest === undefined) return undefined;
  return failed(`two of them only ${formatDuration(nearest.apart)} apart`, nearest.rows.map(exchangeOf));
}

interface Sent {
  readonly row: RequestRow;
  readonly at: Instant;
}

function nearPair(earlier: Sent | undefined, later: Sent, least: Millis): { apart: Millis; rows: RequestRow[] }[] {
  if (earlier === undefined || later.at - earlier.at >= least) return [];
  return [{ apart: later.at - earlier.at, rows: [earlier.row, later.row] }];
}

function whatIsMissing({ count, spacing, no_repeat }: RequestsCheck, rows: readonly RequestRow[]): Verdict | undefined {
  if (spacing !== undefined && rows.length < 2)
    return notAssessed(`at least two such requests; ${rows.length} arrived`);
  if (no_repeat && count === undefined && rows.length === 0)
    return notAssessed("at least one such request; none arrived");
  return undefined;
}

function describeSeen({ spacing, no_repeat }: RequestsCheck, rows: readonly RequestRow[]): string {
  const apart = spacing === undefined ? "" : `, all at least ${formatDuration(spacing.min)} apart`;
  return `${describeCount(rows.length, "request")}${no_repeat ? ", none accepted twice" : ""}${apart}`;
}
