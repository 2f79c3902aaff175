// Without zod, because the dashboard reads it too.
import { NAIROBI, nextTimeOfDay, parseTimeOfDay } from "../domain/local-time.ts";
import type { Instant } from "../domain/time.ts";
import type { TimelineStep } from "./timeline.ts";

type Timing = Pick<TimelineStep, "at" | "every" | "zone">;

/** When a step happens next, given when it was last carried out; undefined once it is done. */
export function nextMoment(step: Timing, since: Instant, last: Instant | undefined): Instant | undefined {
  const first = firstMoment(step, since);
  if (last === undefined) return first;
  if (step.every === undefined) return undefined;
  // Moments that passed while nobody looked are not made up for.
  return first + (Math.floor((last - first) / step.every) + 1) * step.every;
}

/** When a step happens for the first time. */
export function firstMoment({ at, every = 0, zone = NAIROBI }: Timing, since: Instant): Instant {
  if (typeof at === "string") return nextTimeOfDay(since, parseTimeOfDay(at) ?? 0, zone);
  return since + (at ?? every);
}
