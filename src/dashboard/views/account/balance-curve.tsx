import { useSignal } from "@preact/signals";
import type { JSX } from "preact";
import { clockTime, dayOf, money, timeOfDay, zoneWords } from "../../format.ts";
import { account } from "../../store.ts";
import { type BalancePoint, balancePoints } from "./balance-points.ts";

/** Draws the available balance over time, as a line without fill, because its axis begins at the lowest balance. */
export function BalanceCurve(): JSX.Element | null {
  const chosen = useSignal<number | undefined>(undefined);
  const points = balancePoints(account.value?.reading.ledger.entries ?? [], MOST_POINTS);
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
