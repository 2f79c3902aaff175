import { DAY, HOUR, type Millis, MINUTE, parseInstant } from "../../gateway/domain/time.ts";
import { formatShort } from "../time-spent.ts";
import type { Verdict } from "../verdict.ts";
import { type Color, type Paint, WIDTH } from "./paint.ts";

type Milestones = NonNullable<Verdict["life"]>["milestones"];
type Tone = Milestones[number]["tone"];

/** Milestones of one kind in a row. */
interface Stop {
  readonly label: string;
  readonly mark: string;
  readonly tone: Tone;
  readonly from: number;
  readonly until: number;
}

/**
 * Draws the life of an order as a line of time, with its milestones above it. They are evenly spaced, and the time between two is written on
 * the line, so that 20 ms and an hour fit into one picture.
 */
export function drawLife(milestones: Milestones, paint: Paint): string[] {
  const stops = fitting(stopsOf(milestones));
  const widths = widthsOf(stops);
  const labels = stops.map(({ label, tone }, index) => inTone(label.padEnd(widths[index] ?? 0), tone, paint));
  const line = stops.map(({ mark, tone }, index) => {
    const rest = index === stops.length - 1 ? "" : between(gapAfter(stops, index), (widths[index] ?? 0) - 1);
    return `${inTone(mark, tone, paint)}${rest === "" ? "" : paint("dim", rest)}`;
  });
  return [labels, line].map((parts) => `${INDENT}${parts.join("")}`);
}

const INDENT = "   ";

const COLORS: Readonly<Partial<Record<Tone, Color>>> = { good: "green", warm: "yellow", bad: "red" };

function inTone(text: string, tone: Tone, paint: Paint): string {
  const color = COLORS[tone];
  return color === undefined ? text : paint(color, text);
}

function stopsOf(milestones: Milestones): Stop[] {
  const runs: { readonly what: string; tone: Tone; readonly times: number[] }[] = [];
  for (const { at, what, tone } of milestones) {
    const [last, time] = [runs.at(-1), parseInstant(at) ?? 0];
    if (last?.what !== what) runs.push({ what, tone, times: [time] });
    else {
      last.times.push(time);
      if (tone === "warm") last.tone = tone;
    }
  }
  return runs.map(({ what, tone, times }) => ({
    label: times.length === 1 ? what : `${what} ×${times.length}`,
    mark: tone === "bad" ? "×" : "●",
    tone,
    from: times[0] ?? 0,
    until: times.at(-1) ?? 0,
  }));
}

/** Leaves out what does not fit into a line: answers as usual, of which nothing is worth telling but their time, then the least telling stops in a row. */
function fitting(stops: readonly Stop[]): readonly Stop[] {
  if (isFitting(stops)) return stops;
  const telling = stops.filter(({ label, tone }) => tone !== "plain" || !label.startsWith("answered"));
  if (isFitting(telling)) return telling;
  // Each takes three columns or more, so that most of a long life need not be tried.
  for (let kept = Math.min(telling.length - 2, Math.floor(WIDTH / 3)); kept > 0; kept -= 1) {
    const shown = withoutLeastTelling(telling, kept);
    if (shown !== undefined) return shown;
  }
  return telling.slice(0, 1);
}

/** What happened again is what a defect is about. */
const TELLS: Readonly<Record<Tone, number>> = { plain: 0, good: 1, bad: 2, warm: 4 };

/** Returns the stops that fit into a line with the least telling ones in a row hidden, of equal ones those in the middle. The first one stays. */
function withoutLeastTelling(stops: readonly Stop[], kept: number): Stop[] | undefined {
  const starts = Array.from({ length: kept }, (_, index) => index + 1);
  const told = (start: number): number =>
    stops.slice(start, start + stops.length - kept).reduce((sum, { tone }) => sum + TELLS[tone], 0);
  const fromMiddle = (start: number): number => Math.abs(start - Math.ceil(kept / 2));
  return starts
    .filter((start) => isFitting(withHidden(stops, start, kept)))
    .map((start) => ({ start, told: told(start) }))
    .toSorted((one, other) => one.told - other.told || fromMiddle(one.start) - fromMiddle(other.start))
    .map(({ start }) => withHidden(stops, start, kept))[0];
}

function withHidden(stops: readonly Stop[], start: number, kept: number): Stop[] {
  const end = start + stops.length - kept;
  const hidden: Stop = {
    label: `${end - start} more`,
    mark: "…",
    tone: "plain",
    from: stops[start]?.from ?? 0,
    until: stops[end - 1]?.until ?? 0,
  };
  return [...stops.slice(0, start), hidden, ...stops.slice(end)];
}

function isFitting(stops: readonly Stop[]): boolean {
  return INDENT.length + widthsOf(stops).reduce((sum, width) => sum + width, 0) <= WIDTH;
}

/** The last one takes no more than its label. */
function widthsOf(stops: readonly Stop[]): number[] {
  return stops.map(({ label }, index) =>
    index === stops.length - 1 ? label.length : Math.max(label.length + 2, gapAfter(stops, index).length + 4),
  );
}

/** Nothing is written where no time passed. */
function gapAfter(stops: readonly Stop[], index: number): string {
  const gap = (stops[index + 1]?.from ?? 0) - (stops[index]?.until ?? 0);
  return gap > 0 ? formatGap(gap) : "";
}

function between(gap: string, width: number): string {
  const before = Math.floor((width - gap.length) / 2);
  return `${"─".repeat(before)}${gap}${"─".repeat(width - before - gap.length)}`;
}

/** "20ms", "3.0s", "90s", "5m", "1.5h", "2d". */
function formatGap(gap: Millis): string {
  if (gap < 2 * MINUTE) return formatShort(gap);
  const [unit, name] = gap < HOUR ? [MINUTE, "m"] : gap < DAY ? [HOUR, "h"] : [DAY, "d"];
  return `${Number((gap / unit).toFixed(1))}${name}`;
}
