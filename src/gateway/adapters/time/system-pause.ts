import type { Millis } from "../../domain/time.ts";
import type { Pause, WallClock } from "../../ports/wall-clock.ts";
import { systemClock } from "./system-clock.ts";

/** Pauses in real time. Keeps the process alive, because each pause is awaited, perhaps without an open socket. */
export function systemPause(): Pause {
  return pauseOn(systemClock({ holdsProcess: true }));
}

/** Pauses on the given clock. On a manual clock, a pause ends when the clock is advanced. */
export function pauseOn(clock: WallClock): Pause {
  return async (wait, signal) => {
    signal.throwIfAborted();
    if (wait > 0) await waitOn(clock, wait, signal);
  };
}

function waitOn(clock: WallClock, wait: Millis, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = clock.after(wait, () => {
      signal.removeEventListener("abort", abort);
      resolve();
    });
    signal.addEventListener("abort", abort, { once: true });

    function abort(): void {
      timer.cancel();
      reject(signal.reason);
    }
  });
}
