import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { LedgerLine } from "../../../gateway/account/readings/ledger.ts";
import type { Kes } from "../../../gateway/domain/kes.ts";
import type { Instant } from "../../../gateway/domain/time.ts";
import { clockTime, dayOf, money, timeOfDay, zoneWords } from "../../format.ts";

/** Draws the available balance over time, as a line without fill, because its axis begins at the lowest balance. */
export function BalanceCurve({ entries }: { readonly entries: readonly LedgerLine[] }): JSX.Element | null {
  const chosen = useSignal<number | undefined>(undefined);
  const points = balancePoints(entries, MOST_POINTS);
  const last = points.length - 1;
  const index = Math.min(chosen.value ?? last, last);
  const point = points[index];
  const [first, latest] = [points[0], points[last]];
  if (last < 1 || point === undefined || first === undefined || latest === undefined) return null;
  const { path, at, lowest, highest } = draw(points);
  const [x, y] = at(point);
  const words = `KES ${money(point.available)} from ${dayOf(point.at)} ${timeOfDay(point.at)}`;
  return (
    <figure class="curve">
      <figcaption class="spread quiet">
        <span class="number">KES {money(highest)}</span>
        <span class="number">{words}</span>
      </figcaption>
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        <path d={path} />
        <path class="curve-point" d={`M${x} ${y}h0`} />
      </svg>
      <p class="spread quiet number">
        <span>KES {money(lowest)}</span>
        <span>
          {clockTime(first.at)} – {clockTime(latest.at)} {zoneWords()}
        </span>
      </p>
      <input
        type="range"
        aria-label="Available balance over time"
        min={1}
        max={points.length}
        value={index + 1}
        aria-valuetext={`${words} ${zoneWords()}`}
        onInput={({ currentTarget }) => void (chosen.value = Number(currentTarget.value) - 1)}
        onBlur={() => void (chosen.value = undefined)}
      />
    </figure>
  );
}

/** More points than a page can show. */
const MOST_POINTS = 1_000;

/** In the units of the drawing, which is stretched to its place. */
const WIDTH = 1_000;
const HEIGHT = 100;

/** The available balance from a moment on. */
interface BalancePoint {
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

/** Returns the line as steps, where a point lies on it, and the ends of its axis. */
function draw(points: readonly BalancePoint[]) {
  const amounts = points.map(({ available }) => available);
  const lowest = amounts.reduce((one, other) => (other < one ? other : one));
  const highest = amounts.reduce((one, other) => (other > one ? other : one));
  const [begin = 0, end = 0] = [points[0]?.at, points.at(-1)?.at];
  const at = (point: BalancePoint): readonly [x: number, y: number] => [
    end === begin
      ? (points.indexOf(point) / (points.length - 1)) * WIDTH
      : ((point.at - begin) / (end - begin)) * WIDTH,
    HEIGHT - ((point.available - lowest) / Math.max(1, highest - lowest)) * HEIGHT,
  ];
  const steps = points.map((point, index) => {
    const [x, y] = at(point);
    return index === 0 ? `M${x} ${y}` : `H${x}V${y}`;
  });
  return { path: steps.join(""), at, lowest, highest };
}
