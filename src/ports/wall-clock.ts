import type { Instant, Millis } from "../domain/time.ts";

/** Real time, or a substitute for it. Never goes backwards. */
export interface WallClock {
  now(): Instant;
  /** Runs the job once: after this call has returned and the wait is over. The order of jobs due at the same time is undefined. */
  after(wait: Millis, job: () => void): Timer;
}

export interface Timer {
  /** Cancels the job; has no effect once it has run. */
  cancel(): void;
}

/** A wall clock synchronized with a journal engine, which replicas share. */
export interface EngineClock extends WallClock {
  /** Records the engine's time, read at some moment between two readings of this machine's counter. */
  measure(engine: Instant, asked: Millis, answered: Millis): void;
  /** Returns how far the clock is ahead of the engine. It waits for the engine, because it never goes backwards. */
  ahead(): Millis;
}
