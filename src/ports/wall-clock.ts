import type { Instant, Millis } from "../domain/time.ts";

/** Real time, or what stands for it; it never goes backwards. */
export interface WallClock {
  now(): Instant;
  /** Runs the job once: never before this call has returned, nor before the wait is over. Which of two due together goes first is left open. */
  after(wait: Millis, job: () => void): Timer;
}

export interface Timer {
  /** The job does not run any more; without effect once it has run. */
  cancel(): void;
}
