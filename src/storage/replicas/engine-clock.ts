import type { Instant, Millis } from "../../gateway/domain/time.ts";
import type { WallClock } from "../../gateway/ports/wall-clock.ts";

/**
 * A wall clock synchronized with the engine's, which replicas share. Extrapolates from the last measurement with a monotonic counter, so that
 * changes of the machine's clock do not matter.
 */
export function engineClock(counter: WallClock) {
  let offset: Millis = 0;
  let latest: Instant = 0;
  const estimate = (): Instant => counter.now() + offset;
  return {
    now: (): Instant => (latest = Math.max(latest, Math.floor(estimate()))),
    after: (...given: Parameters<WallClock["after"]>) => counter.after(...given),
    turn: () => counter.turn(),
    /** Records the engine's time, read at some moment between two readings of the counter. */
    measure(engine: Instant, asked: Millis, answered: Millis): void {
      // Adjusts the offset only as far as the round trip proves it wrong.
      offset = Math.min(Math.max(offset, engine - answered), engine - asked);
    },
    /** Returns how far the clock is ahead of the engine. It waits for the engine, because it never goes backwards. */
    ahead: (): Millis => Math.max(0, latest - estimate()),
  };
}

export type EngineClock = ReturnType<typeof engineClock>;
