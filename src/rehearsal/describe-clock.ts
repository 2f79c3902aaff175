import type { ClockSettings } from "../domain/settings.ts";

/** Which clock a report's account had, and what does not follow it. */
export function describeClock(clock: ClockSettings): string {
  const own = "the application's own timers and the time that it takes to answer are wall time";
  switch (clock.mode) {
    case "real":
      return "real: the account's time is wall time";
    case "scaled":
      return `x${clock.scale}: the account's time went ${clock.scale} times as fast as wall time; ${own}`;
    case "manual":
      return `manual: the account's time stood still between the steps that advanced it; ${own}`;
  }
}
