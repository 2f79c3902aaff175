import { computed, useSignal } from "@preact/signals";
import type { JSX, TargetedPointerEvent } from "preact";
import type { Instant } from "../../../gateway/domain/time.ts";
import { counted } from "../../../gateway/domain/counted.ts";
import { timeOfDay } from "../../base/format.ts";
import { account, accountNow } from "../../live/store.ts";
import { advance, isAdvancing } from "./advance.ts";
import { placeOnLine, readTicks, type Tick, waitWords } from "./pending.ts";

/** What is pending on the shown account, soonest first. Read from the journal, so it is as new as the rows. */
const ticks = computed((): readonly Tick[] => {
  const state = account.value?.reading.state;
  return state === undefined ? [] : readTicks(state);
});

/** Keys that choose another tick on the line. */
const TICK_STEPS: Readonly<Record<string, number>> = { ArrowRight: 1, ArrowUp: 1, ArrowLeft: -1, ArrowDown: -1 };

/**
 * What is pending as ticks on a line, from now on the left to the furthest on the right. Dragging to a tick, or Enter on it, advances the
 * clock to it.
 */
export function TimeLine(): JSX.Element {
  // The chosen moment stays while ticks before it come and go.
  const chosen = useSignal<Instant | undefined>(undefined);
  const all = ticks.value;
  const now = accountNow.value;
  const index = Math.max(
    0,
    all.findLastIndex(({ at }) => at <= (chosen.value ?? -1)),
  );
  const tick = all[index];
  if (tick === undefined) return <p class="time-line quiet">Nothing is pending.</p>;
  const choose = (wanted: Tick | undefined): void => void (chosen.value = wanted?.at);
  return (
    <div
      class="time-line"
      role="slider"
      tabIndex={0}
      aria-label="Pending. Enter advances to it"
      aria-valuemin={1}
      aria-valuemax={all.length}
      aria-valuenow={index + 1}
      aria-valuetext={describe(tick, now)}
      aria-disabled={isAdvancing.value}
      title={`${counted(all.length, "moment")} with something pending. Drag to one, and everything up to it happens in order`}
      onKeyDown={(event) => {
        const step = TICK_STEPS[event.key];
        if (step !== undefined) choose(all[Math.min(Math.max(index + step, 0), all.length - 1)]);
        else if (event.key === "Enter") void advance({ to: tick.at });
        else return;
        event.preventDefault();
      }}
      {...draggedTo((place) => nearest(all, now, place), choose)}
    >
      <Ticks all={all} now={now} chosen={chosen.value} />
      <span class="quiet">{describe(tick, now)}</span>
    </div>
  );
}

interface TicksProps {
  readonly all: readonly Tick[];
  readonly now: Instant;
  readonly chosen: Instant | undefined;
}

function Ticks({ all, now, chosen }: TicksProps): JSX.Element {
  const furthest = (all.at(-1)?.at ?? now) - now;
  return (
    <>
      {all.map(({ at, kind }) => (
        <i
          key={`${at} ${kind}`}
          class={at === chosen ? `${kind} chosen` : kind}
          style={{ insetInlineStart: `${placeOnLine(at - now, furthest) * 100}%` }}
        />
      ))}
    </>
  );
}

type Dragging = Pick<
  JSX.IntrinsicElements["div"],
  "onPointerDown" | "onPointerMove" | "onPointerUp" | "onPointerCancel"
>;

/** While the line is dragged, its nearest tick is chosen; letting go advances to it. */
function draggedTo(tickAt: (place: number) => Tick | undefined, choose: (tick: Tick | undefined) => void): Dragging {
  const tickUnder = ({ currentTarget, clientX }: TargetedPointerEvent<HTMLElement>): Tick | undefined => {
    const { left, width } = currentTarget.getBoundingClientRect();
    return tickAt((clientX - left) / width);
  };
  return {
    onPointerDown(event) {
      event.currentTarget.setPointerCapture(event.pointerId);
      choose(tickUnder(event));
    },
    onPointerMove(event) {
      if (event.currentTarget.hasPointerCapture(event.pointerId)) choose(tickUnder(event));
    },
    onPointerUp(event) {
      const wanted = tickUnder(event);
      if (wanted !== undefined) void advance({ to: wanted.at });
    },
    onPointerCancel: () => choose(undefined),
  };
}

function nearest(all: readonly Tick[], now: Instant, place: number): Tick | undefined {
  const furthest = (all.at(-1)?.at ?? now) - now;
  const far = ({ at }: Tick): number => Math.abs(placeOnLine(at - now, furthest) - place);
  return all.toSorted((one, other) => far(one) - far(other))[0];
}

/** "in 2.5 s, 09:00:02.500, Callback: Airtime to +254 712 345 678". */
function describe({ at, words }: Tick, now: Instant): string {
  return `${waitWords(at - now)}, ${timeOfDay(at)}, ${words}`;
}
