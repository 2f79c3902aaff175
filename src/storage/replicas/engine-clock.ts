import type { Instant, Millis } from "../../domain/time.ts";
import type { EngineClock, WallClock } from "../../ports/wall-clock.ts";

/** Extrapolates from the last measurement with a monotonic counter, so that changes of the machine's clock do not matter. */
export function engineClock(counter: WallClock): EngineClock {
  let offset: Millis = 0;
  let latest: Instant = 0;
  const estimate = (): Instant => counter.now() + offset;
  return {
    now: () => (latest = Math.max(latest, Math.floor(estimate()))),
    after: (wait, job) => counter.after(wait, job),
    // Adjusts the offset only as far as the round trip proves it wrong.
    measure: (engine, asked, answered) => void (offset = Math.min(Math.max(offset, engine - answered), engine - asked)),
    ahead: () => Math.max(0, latest - estimate()),
  };
}
