import type { ClockSettings, ClockState } from "../settings/clock.ts";
import { formatInstant, type Instant, type Millis } from "../domain/time.ts";

/** 2025-01-06T06:00:00Z, a Monday, 09:00 in Nairobi. */
const MANUAL_START: Instant = Date.UTC(2025, 0, 6, 6);

export function startClock(settings: ClockSettings, wall: Instant): ClockState {
  switch (settings.mode) {
    case "real":
      return { mode: "real" };
    case "scaled":
      return { mode: "scaled", scale: settings.scale, from: settings.start ?? wall, wallFrom: wall };
    case "manual":
      return { mode: "manual", from: settings.start ?? MANUAL_START };
  }
}

/** Returns the account's time. It never goes back before `latest`, the time of the last event. */
export function accountTime(clock: ClockState, wall: Instant, latest: Instant): Instant {
  switch (clock.mode) {
    case "real":
      return Math.max(wall, latest);
    case "scaled":
      return Math.max(clock.from + Math.floor((wall - clock.wallFrom) * clock.scale), latest);
    case "manual":
      return Math.max(clock.from, latest);
  }
}

/** Returns the wall time until the account's clock shows `at`; "never" on a manual clock. */
export function wallTimeUntil(clock: ClockState, at: Instant, wall: Instant): Millis | "never" {
  switch (clock.mode) {
    case "real":
      return Math.max(0, at - wall);
    case "scaled":
      return Math.max(0, clock.wallFrom + scaledWait(at - clock.from, clock.scale) - wall);
    case "manual":
      return "never";
  }
}

/**
 * Returns the fewest whole milliseconds in which a scaled clock advances this far. Corrects the quotient, whose rounding may be off by one.
 */
function scaledWait(far: Millis, scale: number): Millis {
  const wait = Math.floor(far / scale);
  return Math.floor(wait * scale) < far ? wait + 1 : wait;
}

/** Changes the clock's mode. The new clock continues from `now`, or starts at the later moment requested. */
export function changeClock(change: ClockChange, now: Instant, wall: Instant): ClockState | ClockProblem {
  const start = change.start ?? now;
  if (start < now)
    return {
      problem: `now: the clock shows ${formatInstant(now)} and cannot go back`,
      repair: "reset the account to start over",
    };
  if (change.mode === "manual") return { mode: "manual", from: start };
  if (change.mode === "scaled") return { mode: "scaled", scale: change.scale, from: start, wallFrom: wall };
  if (now <= wall) return { mode: "real" };
  return {
    problem: `the clock shows ${formatInstant(now)}, which is ahead of real time`,
    repair: 'set it to "x1", which goes on from there, or reset the account',
  };
}

export type ClockChange =
  | { readonly mode: "real"; readonly start?: undefined }
  | { readonly mode: "scaled"; readonly scale: number; readonly start?: Instant }
  | { readonly mode: "manual"; readonly start?: Instant };

interface ClockProblem {
  readonly problem: string;
  readonly repair: string;
}
