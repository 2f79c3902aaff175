import type { Instant, Millis } from "../domain/time.ts";

/** Real time, or a substitute for it. Never goes backwards. */
export interface WallClock {
  now(): Instant;
  /** Runs the job once: after this call has returned and the wait is over. The order of jobs due at the same time is undefined. */
  after(wait: Millis, job: () => void): Timer;
  /** Resolves in a later turn of the event loop, after everything that is waiting now has had its turn. */
  turn(): Promise<void>;
}

export interface Timer {
  /** Cancels the job; has no effect once it has run. */
  cancel(): void;
}

/** Waits in wall time, to delay what a socket sees. Rejects with the signal's reason if that aborts first. */
export type Pause = (wait: Millis, signal: AbortSignal) => Promise<void>;
