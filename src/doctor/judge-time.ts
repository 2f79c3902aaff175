import { formatDuration } from "../domain/time.ts";
import { doubt, fail, type Judgement, skip, well } from "./check.ts";
import type { Observed } from "./examine.ts";

/** How much of the limit may pass before it is worth a word: an answer under load takes longer. A choice. */
const COMFORTABLE = 1 / 3;

/** Whether the answer came within the limit (document section 6, rule 2: 200 within 3 seconds). */
export function judgeTime({ delivered, limit, waited }: Observed): Judgement {
  if (delivered === undefined) return skip("not reached");
  const { outcome, millis } = delivered;
  if (outcome.kind === "timed_out")
    return fail(`no answer within ${formatDuration(waited)}; the limit is ${formatDuration(limit)}`, SILENCE);
  if (outcome.kind !== "answered" && outcome.kind !== "redirect") return skip("no answer");
  const seen = `answered after ${formatDuration(Math.ceil(millis))} of ${formatDuration(limit)}`;
  if (millis > limit) return fail(seen, LATE);
  return millis > limit * COMFORTABLE ? doubt(seen, LATE) : well(seen);
}

const LATE = "write the callback down, answer 200 at once, and do the work afterwards, in a queue";
const SILENCE =
  "answer 200 first and do the work afterwards; look for a lock, a breakpoint, or a server with a single worker that waits for itself";
