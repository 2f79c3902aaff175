import { cents, type Kes } from "../../domain/kes.ts";
import type { Instant, Millis } from "../../domain/time.ts";
import type { WalletPoint } from "./wallet-curve.ts";

export interface MoneyAxis {
  readonly low: number;
  readonly high: number;
  /** Evenly spaced, from the lowest to the highest. */
  readonly ticks: readonly Kes[];
}

/** Picks steps that people count in: 1, 2, 5, 10, 20, 50 and so on, at least one cent. */
export function moneyAxis(points: readonly WalletPoint[]): MoneyAxis {
  const amounts = points.map(({ available }) => available);
  const [least, most] = [Math.min(...amounts), Math.max(...amounts)];
  const rough = Math.max((most - least) / 4, 1);
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = power * ([1, 2, 5, 10].find((times) => times * power >= rough) ?? 10);
  const low = Math.floor(least / step) * step;
  const count = Math.max(1, Math.ceil((most - low) / step));
  const ticks = Array.from({ length: count + 1 }, (_, index) => cents(low + index * step));
  return { low, high: low + count * step, ticks };
}

/** Returns an amount's vertical position, from 0 at the top to 1. */
export function placeOfMoney({ low, high }: MoneyAxis, amount: Kes): number {
  return (high - amount) / (high - low);
}

/** Returns a point's horizontal position, from 0 to 1. If the clock stood still, points are evenly spaced in order. */
export function placeInTime(points: readonly WalletPoint[], index: number): number {
  const [first, last] = [points[0]?.at ?? 0, points.at(-1)?.at ?? 0];
  return last === first ? index / points.length : ((points[index]?.at ?? 0) - first) / shownTime(first, last);
}

/** A little longer than the time from the first change to the last, so that the last step is visible. */
export function shownTime(first: Instant, last: Instant): Millis {
  return (last - first) * 1.05;
}
