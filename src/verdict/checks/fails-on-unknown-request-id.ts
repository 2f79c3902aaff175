import type { Attempted } from "../../gateway/account/events.ts";
import { showUrl } from "../../gateway/domain/show-url.ts";
import { CALLBACK_EVENTS, callbackExchange, type CallbackCondition, watchCallbacks } from "./callback-watch.ts";
import type { Detector, Observation } from "./check.ts";
import { isReceiverFailure, describeReaction } from "./describe.ts";

/** Reports a receiver that fails on a request_id that no acknowledgment contained. */
export const failsOnUnknownRequestId: Detector = {
  id: "fails-on-unknown-request-id",
  severity: "risk",
  title: "The receiver fails on a request_id it does not know",
  why: "Callbacks are unsigned, and an acknowledgment can be lost after the order was accepted, so your receiver will get request_ids that your database lacks. If it fails on one, it may get it again and again, and its error log fills with errors that are none.",
  repair:
    "If no order has the request_id, store the callback for later, log it and answer 200. Look up the row with a call that returns nothing instead of throwing (Laravel: first() rather than firstOrFail(); Django: filter().first() rather than get()).",
  assumes:
    "The receiver acknowledges ordinary callbacks: while its URL does not, nothing is reported. An answer of 4xx is fine.",
  kinds: CALLBACK_EVENTS,
  watch: () => watchCallbacks(judge),
};

function judge(callback: Attempted, condition: CallbackCondition): Observation | undefined {
  if (condition !== "unknown-id" || !isReceiverFailure(callback.outcome)) return undefined;
  const url = showUrl(callback.url);
  return {
    subject: url,
    seen: `To a callback with an unknown request_id, ${url} ${describeReaction(callback)}.`,
    exchanges: [callbackExchange(callback)],
  };
}
