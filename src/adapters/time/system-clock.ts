import type { Instant, Millis } from "../../domain/time.ts";
import type { Timer, WallClock } from "../../ports/wall-clock.ts";

/** The longest wait that Node's timers take: 2^31 - 1 ms, near 25 days; a longer one would fire at once (nodejs.org, Timers). */
const LONGEST_WAIT: Millis = 2 ** 31 - 1;

export interface SystemClockOptions {
  /**
   * Whether a pending timer keeps the process alive. By default it does not: the listening socket does that while a sandbox
   * serves, and in a test a sandbox that nobody closed must not hang the run for a callback due in an hour.
   */
  readonly holdsProcess?: boolean;
  /** Reads the machine's time, which somebody may set back. */
  readonly read?: () => Instant;
}

/** The machine's clock and timers. */
export function systemClock({ holdsProcess = false, read = () => Date.now() }: SystemClockOptions = {}): WallClock {
  const now = neverBackwards(read);
  return { now, after: (wait, job) => startTimer({ due: now() + wait, now, holdsProcess }, job) };
}

/** Goes on from the latest instant shown when the machine's time is set back; merely waiting for it would delay all that is due. */
function neverBackwards(read: () => Instant): () => Instant {
  let latest = read();
  let ahead: Millis = 0;
  return () => {
    const reading = read();
    ahead = Math.max(ahead, latest - reading);
    latest = reading + ahead;
    return latest;
  };
}

/** Sleeps in as many stretches as it takes, because one may be too long for Node, or end a millisecond before the clock gets there. */
function startTimer({ due, now, holdsProcess }: { due: Instant; now: () => Instant; holdsProcess: boolean }, job: () => void): Timer {
  let pending = sleep();
  return { cancel: () => clearTimeout(pending) };

  function sleep(): NodeJS.Timeout {
    const timeout = setTimeout(wake, Math.min(Math.max(due - now(), 0), LONGEST_WAIT));
    return holdsProcess ? timeout : timeout.unref();
  }

  function wake(): void {
    if (now() < due) pending = sleep();
    else job();
  }
}
