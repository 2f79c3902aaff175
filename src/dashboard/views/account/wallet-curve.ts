import type { Kes } from "../../../gateway/domain/kes.ts";
import type { Instant } from "../../../gateway/domain/time.ts";
import type { LedgerLine } from "../../../gateway/account/readings/ledger.ts";

/** The available balance from a moment on. */
export interface WalletPoint {
  readonly at: Instant;
  readonly available: Kes;
}

/** More points than a page can show. */
const MOST_POINTS = 2_000;

/** Returns the available balance after each change, thinned to 2,000 points. Each stretch keeps its lowest and highest point. */
export function walletCurve(entries: readonly LedgerLine[]): WalletPoint[] {
  const curve = new WalletCurve();
  for (const entry of entries) curve.take(entry);
  return thin(curve.points, MOST_POINTS);
}

/** Builds the curve while a ledger grows. With more than `most` points, it thins them to half of `most`. */
export class WalletCurve {
  points: WalletPoint[] = [];
  readonly #most: number;
  #number: number | undefined;
  #hasPoint = false;

  constructor(most = Infinity) {
    this.#most = most;
  }

  take({ number, at, available }: LedgerLine): void {
    // A settlement writes two entries for one event. Only the balance after both was ever visible.
    if (number === this.#number && this.#hasPoint) this.points.pop();
    this.#number = number;
    this.#hasPoint = this.points.at(-1)?.available !== available;
    if (this.#hasPoint) this.points.push({ at, available });
    if (this.points.length > this.#most) this.points = thin(this.points, this.#most / 2);
  }
}

/** Reduces the points to at most `most`, an even number: the first, the last, and the lowest and highest of each stretch. */
export function thin(points: readonly WalletPoint[], most: number): WalletPoint[] {
  if (points.length <= most) return [...points];
  const inner = points.slice(1, -1);
  const stretch = Math.ceil(inner.length / ((most - 2) / 2));
  const kept: WalletPoint[] = [];
  for (let start = 0; start < inner.length; start += stretch)
    kept.push(...extremes(inner.slice(start, start + stretch)));
  return [...points.slice(0, 1), ...kept, ...points.slice(-1)];
}

/** Returns the lowest and the highest point in their original order. */
function extremes(points: readonly WalletPoint[]): WalletPoint[] {
  let [lowest, highest] = [points[0], points[0]];
  for (const point of points) {
    if (lowest === undefined || point.available < lowest.available) lowest = point;
    if (highest === undefined || point.available > highest.available) highest = point;
  }
  return points.filter((point) => point === lowest || point === highest);
}
