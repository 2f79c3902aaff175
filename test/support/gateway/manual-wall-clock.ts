import type { Instant, Millis } from "../../../src/gateway/domain/time.ts";
import type { WallClock } from "../../../src/gateway/ports/wall-clock.ts";
import { allReady } from "./turns.ts";

/** A wall clock that stands still until it is told to move. */
export interface ManualWallClock extends WallClock {
  /** Moves on, running each job when it falls due, jobs scheduled by jobs included. */
  advance(by: Millis): void;
}

interface Alarm {
  readonly due: Instant;
  readonly job: () => void;
}

export function manualWallClock(start: Instant): ManualWallClock {
  const alarms: Alarm[] = [];
  let at = start;

  function after(wait: Millis, job: () => void): { cancel(): void } {
    const alarm = { due: at + Math.max(wait, 0), job };
    insertByDue(alarms, alarm);
    return { cancel: () => remove(alarms, alarm) };
  }

  function advance(by: Millis): void {
    if (!(by >= 0)) throw new RangeError(`A clock cannot be advanced by ${by} ms`);
    const until = at + by;
    for (let next = takeDue(alarms, until); next !== undefined; next = takeDue(alarms, until)) {
      at = Math.max(at, next.due);
      next.job();
    }
    at = Math.max(at, until);
  }

  return { now: () => at, after, advance, turn: allReady };
}

/** Behind all that fall due no later, so that equals keep their order. */
function insertByDue(alarms: Alarm[], alarm: Alarm): void {
  const last = alarms.findLastIndex(({ due }) => due <= alarm.due);
  alarms.splice(last + 1, 0, alarm);
}

function takeDue(alarms: Alarm[], until: Instant): Alarm | undefined {
  const [first] = alarms;
  return first !== undefined && first.due <= until ? alarms.shift() : undefined;
}

function remove(alarms: Alarm[], alarm: Alarm): void {
  const index = alarms.indexOf(alarm);
  if (index >= 0) alarms.splice(index, 1);
}
