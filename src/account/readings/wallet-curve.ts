import type { Kes } from "../../domain/kes.ts";
import type { Instant } from "../../domain/time.ts";
import type { LedgerEntry } from "./ledger.ts";

/** What was available from a moment on. */
export interface WalletPoint {
  readonly at: Instant;
  readonly available: Kes;
}

/** More points than a page shows. */
const MOST_POINTS = 2_000;

/** What was available after each change, thinned to 2,000 points: of each stretch its lowest and its highest stay. */
export function walletCurve(entries: readonly LedgerEntry[]): WalletPoint[] {
  const curve = new WalletCurve();
  for (const entry of entries) curve.take(entry);
  return thin(curve.points, MOST_POINTS);
}

/** The same while a ledger grows. Told to keep at most so many points, it thins them to half as many when there are more. */
export class WalletCurve {
  points: WalletPoint[] = [];
  readonly #most: number;
  #number: number | undefined;
  #hasPoint = false;

  constructor(most = Infinity) {
    this.#most = most;
  }

  take({ number, at, available }: LedgerEntry): void {
    // A settlement is two entries of one event, and only what is left after both was ever to be seen.
    if (number === this.#number && this.#hasPoint) this.points.pop();
    this.#number = number;
    this.#hasPoint = this.points.at(-1)?.available !== available;
    if (this.#hasPoint) this.points.push({ at, available });
    if (this.points.length > this.#most) this.points = thin(this.points, this.#most / 2);
  }
}

/** The first and the last point stay too. */
function thin(points: WalletPoint[], most: number): WalletPoint[] {
  if (points.length <= most) return points;
  const inner = points.slice(1, -1);
  const stretch = Math.ceil(inner.length / ((most - 2) / 2));
  const kept: WalletPoint[] = [];
  for (let start = 0; start < inner.length; start += stretch) kept.push(...extremes(inner.slice(start, start + stretch)));
  return [...points.slice(0, 1), ...kept, ...points.slice(-1)];
}

/** The lowest and the highest, in the order in which they came. */
function extremes(points: readonly WalletPoint[]): WalletPoint[] {
  let [lowest, highest] = [points[0], points[0]];
  for (const point of points) {
    if (lowest === undefined || point.available < lowest.available) lowest = point;
    if (highest === undefined || point.available > highest.available) highest = point;
  }
  return points.filter((point) => point === lowest || point === highest);
}
