import type { Attempted } from "../../account/events.ts";
import { showUrl } from "../../domain/show-url.ts";
import { type Millis, SECOND } from "../../domain/time.ts";
import { CALLBACK_EVENTS, callbackExchange, type Circumstance, watchCallbacks } from "../callback-watch.ts";
import type { Detector, Sighting } from "../detector.ts";
import { timeInWords } from "../in-words.ts";
import { reactionInWords } from "../reaction.ts";

/** A callback was not answered in time. */
export const callbackAnsweredLate: Detector = {
  id: "callback-answered-late",
  severity: "defect",
  title: "A callback was not answered within the limit",
  why: "The gateway takes an answer only within 3 seconds (gateway document, sections 6 and 8). A receiver that works before it answers loses results on a slow afternoon, and does the work twice where a callback is sent again.",
  mend: "Store the callback and answer 200 at once; credit, notify and call others afterwards from a queue (Laravel: dispatch a job; Django: Celery; Node: BullMQ). In PHP, check that a session lock does not make requests wait for one another.",
  assumes:
    "Nothing but the receiver held it up: a debugger's breakpoint, a busy machine or a firewall that drops packets looks the same. An account with a shorter limit is held to its own.",
  kinds: CALLBACK_EVENTS,
  watch: () => watchCallbacks(judge),
};

/** For one acknowledgment (gateway document, section 8). */
const LIMIT: Millis = 3 * SECOND;

function judge(callback: Attempted, circumstance: Circumstance): Sighting | undefined {
  if (circumstance !== "ordinary" || !isLate(callback)) return undefined;
  const limit = callback.outcome.kind === "timed_out" ? "" : `, past the limit of ${timeInWords(LIMIT)}`;
  const url = showUrl(callback.url);
  return { subject: url, seen: `${url} ${reactionInWords(callback)}${limit}.`, exchanges: [callbackExchange(callback)] };
}

function isLate({ outcome: { kind }, millis }: Attempted): boolean {
  return kind === "timed_out" || (kind === "answered" && millis > LIMIT);
}
