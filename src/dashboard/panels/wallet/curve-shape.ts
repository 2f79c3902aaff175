import { moneyAxis, placeInTime, placeOfMoney, shownTime } from "../../../account/readings/curve-axes.ts";
import type { WalletPoint } from "../../../account/readings/wallet-curve.ts";
import type { Kes } from "../../../domain/kes.ts";
import { DAY, HOUR, type Instant, type Millis, MINUTE, SECOND } from "../../../domain/time.ts";

/** Units of the drawing, which is stretched to what the page has room for. */
export const WIDTH = 1_000;
export const HEIGHT = 200;

/** A point as it is drawn: how far from the left and from the top, each from 0 to 1. */
export interface PlacedPoint extends WalletPoint {
  readonly x: number;
  readonly y: number;
}

export interface CurveShape {
  readonly points: readonly PlacedPoint[];
  /** Of the SVG path; it steps at each change. */
  readonly line: string;
  readonly ticks: readonly { readonly amount: Kes; readonly y: number }[];
  /** Round ones between the first change and the last; where there is none, the first change alone. */
  readonly moments: readonly { readonly at: Instant; readonly x: number }[];
  /** Whether the day has to be told with the time. */
  readonly isOverDays: boolean;
}

export function shapeCurve(points: readonly WalletPoint[]): CurveShape {
  const axis = moneyAxis(points);
  const placed = points.map((point, index) => ({ ...point, x: placeInTime(points, index), y: placeOfMoney(axis, point.available) }));
  const [first, last] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0];
  return {
    points: placed,
    line: lineThrough(placed),
    ticks: axis.ticks.map((amount) => ({ amount, y: placeOfMoney(axis, amount) })),
    moments: momentsBetween(first, last),
    isOverDays: shownTime(first, last) > DAY,
  };
}

function lineThrough(points: readonly PlacedPoint[]): string {
  const steps = points.map(({ x, y }, index) => {
    const [across, down] = [shorten(x * WIDTH), shorten(y * HEIGHT)];
    return index === 0 ? `M${across} ${down}` : `H${across}V${down}`;
  });
  return `${steps.join("")}H${WIDTH}`;
}

function momentsBetween(first: Instant, last: Instant): CurveShape["moments"] {
  const shown = shownTime(first, last);
  const step = STEPS.find((step) => shown / step < MOST_MOMENTS) ?? Math.ceil(shown / MOST_MOMENTS / DAY) * DAY;
  const begin = Math.ceil((first + NAIROBI) / step) * step - NAIROBI;
  const count = Math.max(0, Math.floor((last - begin) / step) + 1);
  if (count === 0 || first === last) return [{ at: first, x: 0 }];
  return Array.from({ length: count }, (_, index) => begin + index * step).map((at) => ({ at, x: (at - first) / shown }));
}

/** Steps of time that people count in. */
const STEPS: readonly Millis[] = [
  ...[1, 2, 5, 10, 15, 30].map((count) => count * SECOND),
  ...[1, 2, 5, 10, 15, 30].map((count) => count * MINUTE),
  ...[1, 2, 3, 6, 12].map((count) => count * HOUR),
  ...[1, 2, 7].map((count) => count * DAY),
];

const MOST_MOMENTS = 7;

/** Days begin there three hours before they do in UTC. */
const NAIROBI = 3 * HOUR;

/** The last change at or before a place, which says what was available there. */
export function pointAt(points: readonly PlacedPoint[], x: number): number {
  const next = points.findIndex((point) => point.x > x);
  return next === -1 ? points.length - 1 : Math.max(0, next - 1);
}

/** Where a key leads from a point; nothing for a key that leads nowhere. */
export function stepTo(key: string, from: number, count: number): number | undefined {
  const last = count - 1;
  const far = Math.max(1, Math.round(count / 10));
  const to: Readonly<Record<string, number>> = {
    ArrowLeft: from - 1,
    ArrowDown: from - 1,
    ArrowRight: from + 1,
    ArrowUp: from + 1,
    PageDown: from - far,
    PageUp: from + far,
    Home: 0,
    End: last,
  };
  const wanted = to[key];
  return wanted === undefined ? undefined : Math.min(last, Math.max(0, wanted));
}

/** As many of the points as one listens to, among them the first, the last, the lowest and the highest. */
export function pick(points: readonly WalletPoint[], most: number): readonly WalletPoint[] {
  if (points.length <= most) return points;
  const amounts = points.map<number>(({ available }) => available);
  const kept = new Set([amounts.indexOf(Math.min(...amounts)), amounts.indexOf(Math.max(...amounts)), points.length - 1]);
  const stride = (points.length - 1) / (most - kept.size);
  for (let index = 0; kept.size < most && index < points.length; index += stride) kept.add(Math.round(index));
  return points.filter((_, index) => kept.has(index));
}

function shorten(length: number): number {
  return Math.round(length * 100) / 100;
}
