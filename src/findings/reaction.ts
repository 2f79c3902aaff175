import type { Attempted } from "../account/events.ts";
import type { CallbackOutcome } from "../domain/callback-outcome.ts";
import { timeInWords } from "./in-words.ts";

/** Whether a receiver that was reached broke down: a server error, no answer in time, a connection ended without one. */
export function hasFailed(outcome: CallbackOutcome): boolean {
  if (outcome.kind === "answered") return outcome.status >= 500;
  return outcome.kind === "timed_out" || outcome.kind === "reset";
}

/** What the receiver did, to follow its name in a sentence. */
export function reactionInWords({ outcome, millis }: Attempted): string {
  const time = timeInWords(millis);
  switch (outcome.kind) {
    case "answered":
    case "redirect":
      return `answered ${outcome.status} after ${time}`;
    case "timed_out":
      return `gave no answer in ${time}`;
    case "reset":
      return `ended the connection without an answer after ${time}`;
    default:
      return `could not be reached (${outcome.kind})`;
  }
}
