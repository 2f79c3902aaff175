import type { Resolved, Transaction } from "../../../../gateway/account/transaction.ts";
import type { ExchangeJson } from "../../../../control/client/shapes.ts";
import { isAcknowledged } from "../../../../gateway/domain/callback-outcome.ts";
import { HOUR, type Instant, type Millis, MINUTE, SECOND } from "../../../../gateway/domain/time.ts";
import type { Tone } from "../../../parts/parts.tsx";
import { outcomeWords } from "../../../../gateway/domain/explain-outcome.ts";

/** A span of a transaction's life, on the account's clock. */
export interface Span {
  readonly name: string;
  readonly from: Instant;
  /** Its end, or the current time if it is still in progress. */
  readonly until: Instant;
  readonly isLasting: boolean;
  /** When it will end or begin, if that is in the future. */
  readonly due?: Instant;
  readonly tone: Tone;
  /** How it ended, or what it waits for. */
  readonly text: string;
}

/** The current times. */
interface Clocks {
  /** On the account's clock. */
  readonly now: Instant;
  readonly wall: Instant;
}

/**
 * Returns the spans of the acknowledgment, the carrier and each callback attempt, in this order. Wall-clock durations are added to the
 * account time at which they began.
 */
export function spansOf(
  { accepted, progress }: Transaction,
  exchange: ExchangeJson | undefined,
  clocks: Clocks,
): Span[] {
  const { at } = accepted;
  const { now } = clocks;
  const begin = exchange === undefined ? [] : [acknowledgmentSpan(at, exchange, clocks)];
  const carrier = { name: "Carrier", from: at };
  if (progress.state === "stuck")
    return [...begin, { ...carrier, until: Math.max(now, at), isLasting: true, tone: "warm", text: "none" }];
  if (progress.state === "queued")
    return [
      ...begin,
      {
        ...carrier,
        until: Math.max(now, at),
        isLasting: true,
        due: progress.settlesAt,
        tone: "plain",
        text: "in flight",
      },
    ];
  const { settled } = progress;
  const tone = settled.outcome === "failed" ? "bad" : "good";
  return [
    ...begin,
    {
      ...carrier,
      until: settled.at,
      isLasting: false,
      tone,
      text: settled.outcome === "failed" ? "failed" : String(settled.resultCode),
    },
    ...reversalSpan(progress),
    ...callbackSpans(progress, now),
  ];
}

function reversalSpan(resolved: Resolved): Span[] {
  if (resolved.state !== "reversed") return [];
  const { at } = resolved.reversed;
  return [
    { name: "Reversal", from: resolved.settled.at, until: at, isLasting: false, tone: "bad", text: "taken back" },
  ];
}

function acknowledgmentSpan(
  from: Instant,
  { ended, response, received_at: receivedAt }: ExchangeJson,
  { wall }: Clocks,
): Span {
  const name = "Acknowledgment";
  if (ended === null)
    return {
      name,
      from,
      until: from + Math.max(0, wall - Date.parse(receivedAt)),
      isLasting: true,
      tone: "plain",
      text: "client waits",
    };
  const isAnswered = ended.how === "answered";
  const tone = isAnswered ? "good" : "bad";
  return {
    name,
    from,
    until: from + ended.millis,
    isLasting: false,
    tone,
    text: isAnswered ? String(response.status) : "no answer",
  };
}

function callbackSpans({ settled, attempts, deliveries }: Resolved, now: Instant): Span[] {
  const made = attempts.map(({ attempt, at, millis, outcome }): Span => {
    const from = Math.max(settled.at, at - millis);
    const text = outcomeWords({ outcome, millis });
    return {
      name: `Callback ${attempt}`,
      from,
      until: from + millis,
      isLasting: false,
      tone: isAcknowledged(outcome) ? "good" : "bad",
      text,
    };
  });
  const due = deliveries.flatMap(({ next }) => (next === "none" ? [] : [next.dueAt]));
  const coming = due.map((dueAt, index): Span => {
    const name = `Callback ${attempts.length + 1 + index}`;
    const isBegun = dueAt <= now;
    const from = isBegun ? dueAt : Math.min(now, dueAt);
    return {
      name,
      from,
      until: Math.max(now, from),
      isLasting: isBegun,
      due: dueAt,
      tone: "plain",
      text: isBegun ? "in flight" : "waits",
    };
  });
  return [...made, ...coming];
}

/** "2,003 ms", "12.3 s", "61 min", "2.5 h". */
export function lengthWords(millis: Millis): string {
  if (millis < 10 * SECOND) return `${Math.round(millis).toLocaleString("en")} ms`;
  if (millis < 2 * MINUTE) return `${(millis / SECOND).toFixed(1)} s`;
  return millis < 2 * HOUR
    ? `${Math.round(millis / MINUTE)} min`
    : `${(millis / HOUR).toLocaleString("en", { maximumFractionDigits: 1 })} h`;
}

/** Maps a moment to its position on the waterfall, in percent of the width. Long gaps are shortened. */
export interface Axis {
  readonly at: (moment: Instant) => number;
  /** The shortened gaps. */
  readonly folds: readonly { readonly from: number; readonly to: number; readonly length: Millis }[];
}

export function axisOf(spans: readonly Span[]): Axis {
  const busy = merged(spans.map(({ from, until, due = from }): Stretch => [from, Math.max(until, due)]));
  const work = busy.reduce((sum, [from, to]) => sum + to - from, 0);
  const most = Math.max(work / 4, 1);
  const stretches = busy.flatMap(([from, to], index): Stretch[] => {
    const next = busy[index + 1];
    return next === undefined
      ? [[from, to]]
      : [
          [from, to],
          [to, next[0]],
        ];
  });
  const drawn = stretches.map(([from, to], index) => ({
    from,
    to,
    width: index % 2 === 0 ? to - from : Math.min(to - from, most),
  }));
  const total = Math.max(
    drawn.reduce((sum, { width }) => sum + width, 0),
    1,
  );
  const starts = drawn.map((_, index) => drawn.slice(0, index).reduce((sum, { width }) => sum + width, 0));
  const at = (moment: Instant): number => {
    const index = Math.max(
      0,
      drawn.findLastIndex(({ from }) => from <= moment),
    );
    const stretch = drawn[index];
    if (stretch === undefined) return 0;
    const { from, to, width } = stretch;
    const share = to === from ? 0 : Math.min(Math.max(moment - from, 0) / (to - from), 1);
    return (100 * ((starts[index] ?? 0) + share * width)) / total;
  };
  const folds = drawn.flatMap(({ from, to, width }, index) => {
    const begin = (100 * (starts[index] ?? 0)) / total;
    return width < to - from ? [{ from: begin, to: begin + (100 * width) / total, length: to - from }] : [];
  });
  return { at, folds };
}

type Stretch = readonly [from: Instant, to: Instant];

/** Merges ranges that touch. */
function merged(stretches: readonly Stretch[]): Stretch[] {
  const kept: [Instant, Instant][] = [];
  for (const [from, to] of stretches.toSorted(([one], [other]) => one - other)) {
    const last = kept.at(-1);
    if (last !== undefined && from <= last[1]) last[1] = Math.max(last[1], to);
    else kept.push([from, to]);
  }
  return kept;
}
