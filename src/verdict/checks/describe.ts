import { type Millis, MINUTE, SECOND } from "../../gateway/domain/time.ts";

/** Formats a duration: "240 ms", "12.3 s", "7.0 min". Short durations are exact. */
export function describeDuration(millis: Millis): string {
  if (millis < 10 * SECOND) return `${Math.round(millis).toLocaleString("en")} ms`;
  return millis < 2 * MINUTE ? `${(millis / SECOND).toFixed(1)} s` : `${(millis / MINUTE).toFixed(1)} min`;
}
