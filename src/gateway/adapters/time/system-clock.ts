import type { Instant, Millis } from "../../domain/time.ts";
import type { Timer, WallClock } from "../../ports/wall-clock.ts";

/** The longest wait of Node's timers: 2^31 - 1 ms, about 25 days. A longer one would fire at once (nodejs.org, Timers). */
const LONGEST_WAIT: Millis = 2 ** 31 - 1;

export interface SystemClockOptions {
  /**
   * Whether a pending timer keeps the process alive. Defaults to false: while a sandbox serves, its listening socket does that, and in a
   * test, a sandbox that nobody closed must not hang the run because of a callback due in an hour.
   */
  readonly holdsProcess?: boolean;
  /** Reads the machine's time, which may be set back. */
  readonly read?: () => Instant;
}

/** The machine's clock and timers. */
export function systemClock({ holdsProcess = false, read = () => Date.now() }: SystemClockOptions = {}): WallClock {
  const now = neverBackwards(read);
  return {
    now,
    after: (wait, job) => startTimer({ due: now() + wait, now, holdsProcess }, job),
    turn: () => new Promise((resolve) => setImmediate(resolve)),
  };
}

/** Continues from the latest instant when the machine's time is set back. Waiting for the time to catch up would delay all due work. */
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

/** Sleeps in several stretches if necessary, because one may be too long for Node, or end a millisecond early. */
function startTimer(
  { due, now, holdsProcess }: { due: Instant; now: () => Instant; holdsProcess: boolean },
  job: () => void,
): Timer {
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
