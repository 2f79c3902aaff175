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

/** Compares the last runs of two steps of one timeline by when they were due, and those due at one moment by when they were planned. */
export function byLastRun(one: LastRun, other: LastRun): number {
  return one.last - other.last || one.plannedAt - other.plannedAt || other.first - one.first;
}

interface LastRun {
  readonly first: Instant;
  readonly last: Instant;
  /** When the run before it was due, or the start. */
  readonly plannedAt: Instant;
}

/** Returns the last run of a step that was due by a moment; undefined if there was none. */
export function lastRun(step: Timing, since: Instant, by: Instant): LastRun | undefined {
  const first = firstMoment(step, since);
  if (first > by) return undefined;
  const every = parseDuration(step.every ?? "0s") ?? 0;
  const last = every === 0 ? first : first + Math.floor((by - first) / every) * every;
  return { first, last, plannedAt: last === first ? since : last - every };
}

/** Returns when a step runs for the first time. */
export function firstMoment({ at, every = "0s" }: Timing, since: Instant): Instant {
  const timeOfDay = at === undefined ? undefined : parseTimeOfDay(at);
  return timeOfDay === undefined ? since + (parseDuration(at ?? every) ?? 0) : nextTimeOfDay(since, timeOfDay);
}
