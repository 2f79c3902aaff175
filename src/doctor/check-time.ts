import { formatDuration } from "../domain/time.ts";
import { warn, fail, type CheckResult, skip, ok } from "./check.ts";
import type { Observations } from "./observe-receiver.ts";

/** The share of the limit that an answer may take without a warning, since it will take longer under load. Our choice. */
const COMFORTABLE = 1 / 3;

/** Checks whether the answer came within the limit (document section 6, rule 2: 200 within 3 seconds). */
export function checkTime({ delivered, limit, waited }: Observations): CheckResult {
  if (delivered === undefined) return skip("not reached");
  const { outcome, millis } = delivered;
  if (outcome.kind === "timed_out")
    return fail(`no answer within ${formatDuration(waited)}; the limit is ${formatDuration(limit)}`, SILENCE);
  if (outcome.kind !== "answered" && outcome.kind !== "redirect") return skip("no answer");
  const seen = `answered after ${formatDuration(Math.ceil(millis))} of ${formatDuration(limit)}`;
  if (millis > limit) return fail(seen, LATE);
  return millis > limit * COMFORTABLE ? warn(seen, LATE) : ok(seen);
}

const LATE = "store the callback, answer 200 at once, and do the work afterwards, in a queue";
const SILENCE =
  "answer 200 first and do the work afterwards; look for a lock, a breakpoint, or a single-worker server that waits for itself";
