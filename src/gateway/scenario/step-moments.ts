// Does not import zod, because the dashboard bundles this file.
import { nextTimeOfDay, parseTimeOfDay } from "../domain/local-time.ts";
import { type Instant, parseDuration } from "../domain/time.ts";
import type { TimelineStep } from "./timeline-steps.ts";

type Timing = Pick<TimelineStep, "at" | "every">;

/** Returns when a step runs next, given when its last run was due; undefined once it is done. */
export function nextMoment(step: Timing, since: Instant, last: Instant | undefined): Instant | undefined {
  const first = firstMoment(step, since);
  if (last === undefined) return first;
  if (step.every === undefined) return undefined;
  const every = parseDuration(step.every) ?? 0;
  // A step that counts as done because its scenario was edited goes on after the edit.
  return first + (Math.floor((last - first) / every) + 1) * every;
}

/** Returns when a step was last due by a moment; undefined if it was not. */
export function lastMoment(step: Timing, since: Instant, by: Instant): Instant | undefined {
  const first = firstMoment(step, since);
  if (first > by) return undefined;
  const every = parseDuration(step.every ?? "0s") ?? 0;
  return every === 0 ? first : first + Math.floor((by - first) / every) * every;
}

/** Returns when a step runs for the first time. */
export function firstMoment({ at, every = "0s" }: Timing, since: Instant): Instant {
  const timeOfDay = at === undefined ? undefined : parseTimeOfDay(at);
  return timeOfDay === undefined ? since + (parseDuration(at ?? every) ?? 0) : nextTimeOfDay(since, timeOfDay);
}
