import type { Instant, Millis } from "../../domain/time.ts";
import type { WallClock } from "../../ports/wall-clock.ts";

/** A wall clock that shows the time of a journal engine, which replicas share. */
export interface EngineClock extends WallClock {
  /** Takes the engine's time, which it had at some moment between two of this machine's, in milliseconds from any beginning. */
  measure(engine: Instant, asked: Millis, answered: Millis): void;
  /** How far it is ahead of the engine, for which it waits: it never goes backwards. */
  ahead(): Millis;
}

/** Counts on from what was measured by a counter that nobody sets; so the machine's own time does not matter. */
export function engineClock(counter: WallClock): EngineClock {
  let offset: Millis = 0;
  let latest: Instant = 0;
  const estimate = (): Instant => counter.now() + offset;
  return {
    now: () => (latest = Math.max(latest, Math.floor(estimate()))),
    after: (wait, job) => counter.after(wait, job),
    // What the round trip leaves open is no news.
    measure: (engine, asked, answered) => void (offset = Math.min(Math.max(offset, engine - answered), engine - asked)),
    ahead: () => Math.max(0, latest - estimate()),
  };
}
