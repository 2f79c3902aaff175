import type { LedgerLine } from "../../../gateway/account/readings/ledger.ts";
import type { Kes } from "../../../gateway/domain/kes.ts";
import type { Instant } from "../../../gateway/domain/time.ts";

/** The available balance from a moment on. */
export interface BalancePoint {
  readonly at: Instant;
  readonly available: Kes;
}

/** Returns the available balance after each change, reduced to `most` points and the two ends. Each stretch keeps its lowest and highest one. */
export function balancePoints(
  entries: readonly Pick<LedgerLine, "number" | "at" | "available">[],
  most: number,
): readonly BalancePoint[] {
  const points: BalancePoint[] = [];
  for (const [index, { number, at, available }] of entries.entries()) {
    // A settlement writes two entries for one event. Only the balance after both was ever visible.
    const isVisible = entries[index + 1]?.number !== number;
    if (isVisible && points.at(-1)?.available !== available) points.push({ at, available });
  }
  if (points.length <= most) return points;
  const stretch = Math.ceil((2 * points.length) / most);
  const kept = new Set([points[0], points.at(-1)]);
  for (let start = 0; start < points.length; start += stretch) {
    const part = points.slice(start, start + stretch);
    kept.add(part.reduce((one, other) => (other.available < one.available ? other : one)));
    kept.add(part.reduce((one, other) => (other.available > one.available ? other : one)));
  }
  return points.filter((point) => kept.has(point));
}
