import type { Millis } from "../domain/time.ts";
import type { WallClock } from "../ports/wall-clock.ts";
import type { LiveJournal } from "./live-journal.ts";

/** Waits until a condition holds, checking again after each event. Resolves to false if the time runs out first. */
export function waitUntil(
  journal: LiveJournal,
  holds: () => boolean,
  wall: WallClock,
  within: Millis,
): Promise<boolean> {
  if (holds()) return Promise.resolve(true);
  if (within <= 0) return Promise.resolve(false);
  return new Promise((resolve) => {
    const end = (isHolding: boolean): void => {
      timer.cancel();
      stop();
      resolve(isHolding);
    };
    const timer = wall.after(within, () => end(holds()));
    const stop = journal.observe(() => holds() && end(true));
  });
}

/** Resolves to whether the work finished within the wall time. Unfinished work continues by itself. */
export async function finishesWithin(work: Promise<void>, wall: WallClock, within: Millis): Promise<boolean> {
  let isOver = true;
  await new Promise<void>((resolve, reject) => {
    const timer = wall.after(Math.max(0, within), () => {
      isOver = false;
      resolve();
    });
    work.finally(() => timer.cancel()).then(resolve, reject);
  });
  return isOver;
}
