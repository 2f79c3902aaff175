import type { Attempted } from "../../account/events.ts";
import { showUrl } from "../../domain/show-url.ts";
import { CALLBACK_EVENTS, callbackExchange, type Circumstance, watchCallbacks } from "../callback-watch.ts";
import type { Detector, Sighting } from "../detector.ts";
import { hasFailed, reactionInWords } from "../reaction.ts";

/** The receiver broke down on a callback whose request_id nobody was given. */
export const failsOnUnknownRequestId: Detector = {
  id: "fails-on-unknown-request-id",
  severity: "risk",
  title: "The receiver fails on a request_id it does not know",
  why: "Callbacks are unsigned, and an acknowledgment can be lost after the order was accepted: an id that your database lacks will come. A receiver that fails on it may be sent it for ever, and fills its error log with what is no error.",
  mend: "Where no order has the request_id, keep the callback for later, log it and answer 200. Look the row up with something that returns nothing instead of throwing (Laravel: first() rather than firstOrFail(); Django: filter().first() rather than get()).",
  assumes:
    "The receiver answers ordinary callbacks: nothing is said while its URL does not acknowledge those. An answer of 4xx is taken as fine.",
  kinds: CALLBACK_EVENTS,
  watch: () => watchCallbacks(judge),
};

function judge(callback: Attempted, circumstance: Circumstance): Sighting | undefined {
  if (circumstance !== "unknown-id" || !hasFailed(callback.outcome)) return undefined;
  const url = showUrl(callback.url);
  return {
    subject: url,
    seen: `To a callback with a request_id that nobody was given, ${url} ${reactionInWords(callback)}.`,
    exchanges: [callbackExchange(callback)],
  };
}
