import type { WalletPoint } from "../../../account/readings/wallet-curve.ts";

/** Where a key leads from a point; undefined for a key that leads nowhere. */
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

/** At most so many of the points, among them the first, the last, the lowest and the highest. */
export function pick(points: readonly WalletPoint[], most: number): readonly WalletPoint[] {
  if (points.length <= most) return points;
  const amounts = points.map<number>(({ available }) => available);
  const kept = new Set([amounts.indexOf(Math.min(...amounts)), amounts.indexOf(Math.max(...amounts)), points.length - 1]);
  const stride = (points.length - 1) / (most - kept.size);
  for (let index = 0; kept.size < most && index < points.length; index += stride) kept.add(Math.round(index));
  return points.filter((_, index) => kept.has(index));
}
