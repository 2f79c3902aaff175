import { type Signal, useSignal } from "@preact/signals";
import type { JSX } from "preact";
import type { Instant } from "../../../domain/time.ts";
import { dateOf, dayOf, money, timeOfDay } from "../../format.ts";
import { type CurveShape, HEIGHT, type PlacedPoint, pointAt, stepTo, WIDTH } from "./curve-shape.ts";

/** The drawing with its axes. Labels are text beside it, because the drawing itself is stretched. */
export function CurvePlot({ shape }: { readonly shape: CurveShape }): JSX.Element {
  const { ticks, moments, isOverDays, points } = shape;
  const hasStoodStill = points[0]?.at === points.at(-1)?.at;
  return (
    <div class="curve-frame">
      <div class="curve-ticks" aria-hidden="true">
        {ticks.map(({ amount, y }) => (
          <span key={amount} style={{ insetBlockStart: percent(y) }}>
            {money(amount).replace(/\.00$/, "")}
          </span>
        ))}
      </div>
      <Walkable shape={shape} />
      <div class="curve-moments" aria-hidden="true">
        {moments.map(({ at, x }) => (
          <span key={at} class={sideOf(x)} style={{ insetInlineStart: percent(x) }}>
            {momentWords(at, isOverDays)}
            {hasStoodStill && ", in order: the clock stood still"}
          </span>
        ))}
      </div>
    </div>
  );
}

/** What one points at stays the point it was while others are added. */
function Walkable({ shape: { points, line, ticks } }: { readonly shape: CurveShape }): JSX.Element {
  const chosen = useSignal<number | undefined>(undefined);
  const last = points.length - 1;
  const index = Math.min(chosen.value ?? last, last);
  const point = points[index];
  return (
    <div
      class="curve-plot"
      role="slider"
      tabIndex={0}
      aria-label="Available balance over time"
      aria-valuemin={1}
      aria-valuemax={points.length}
      aria-valuenow={index + 1}
      aria-valuetext={point && tell(point)}
      onPointerMove={({ currentTarget, clientX }) => void (chosen.value = pointAt(points, placeUnder(currentTarget, clientX)))}
      onPointerLeave={() => void (chosen.value = undefined)}
      onBlur={() => void (chosen.value = undefined)}
      onKeyDown={(event) => walk(event, { chosen, from: index, count: points.length })}
    >
      <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} preserveAspectRatio="none" aria-hidden="true">
        {ticks.map(({ amount, y }) => (
          <line key={amount} x1="0" x2={WIDTH} y1={y * HEIGHT} y2={y * HEIGHT} />
        ))}
        <path class="curve-area" d={`${line}V${HEIGHT}H0Z`} />
        <path class="curve-line" d={line} />
      </svg>
      {chosen.value !== undefined && point !== undefined && <Crosshair point={point} />}
    </div>
  );
}

function Crosshair({ point }: { readonly point: PlacedPoint }): JSX.Element {
  const { x, y } = point;
  return (
    <>
      <span class="curve-hair" style={{ insetInlineStart: percent(x) }} />
      <span class="curve-dot" style={{ insetInlineStart: percent(x), insetBlockStart: percent(y) }} />
      <span class={`curve-value ${x > 0.5 ? "left" : "right"}`} style={{ insetInlineStart: percent(x) }}>
        <strong>KES {money(point.available)}</strong>
        <span class="quiet">
          {dayOf(point.at)} {timeOfDay(point.at)}
        </span>
      </span>
    </>
  );
}

interface Walk {
  readonly chosen: Signal<number | undefined>;
  readonly from: number;
  readonly count: number;
}

function walk(event: KeyboardEvent, { chosen, from, count }: Walk): void {
  const to = stepTo(event.key, from, count);
  if (to === undefined) return;
  event.preventDefault();
  chosen.value = to;
}

function placeUnder(plot: Element, clientX: number): number {
  const { left, width } = plot.getBoundingClientRect();
  return width === 0 ? 0 : (clientX - left) / width;
}

function tell({ at, available }: PlacedPoint): string {
  return `KES ${money(available)} from ${dayOf(at)} ${timeOfDay(at)} in Nairobi`;
}

/** As short as it can be: what one points at is told in full. */
function momentWords(at: Instant, isOverDays: boolean): string {
  const clock = timeOfDay(at).replace(/:00$/, "");
  if (!isOverDays) return clock;
  return clock === "00:00" ? dateOf(at) : `${dateOf(at)} ${clock}`;
}

/** Labels near an edge stay within it. */
function sideOf(x: number): string {
  if (x < EDGE) return "first";
  return x > 1 - EDGE ? "last" : "";
}

const EDGE = 0.05;

function percent(part: number): string {
  return `${part * 100}%`;
}
