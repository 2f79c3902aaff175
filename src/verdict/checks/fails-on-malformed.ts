import type { Attempted } from "../../gateway/account/events.ts";
import { showUrl } from "../../gateway/domain/show-url.ts";
import { CALLBACK_EVENTS, callbackExchange, type CallbackCondition, watchCallbacks } from "./callback-watch.ts";
import type { Detector, Observation } from "./check.ts";
import { isReceiverFailure, describeReaction } from "./describe.ts";

/** Reports a receiver that fails on a body that is not JSON, or not labelled as JSON. */
export const failsOnMalformed: Detector = {
  id: "fails-on-malformed",
  severity: "hint",
  title: "The receiver fails on a body it cannot read",
  why: "The URL is open to the internet, where anybody can send anything. A body that causes an exception or a hanging request costs a worker each time and hides real failures in the log.",
  repair:
    "Check content type and body before using them, and answer 400 or 415 (Express: error middleware behind express.json(); Laravel: $request->validate(); Django: catch json.JSONDecodeError).",
  assumes: "The receiver acknowledges ordinary callbacks: while its URL does not, nothing is reported.",
  kinds: CALLBACK_EVENTS,
  watch: () => watchCallbacks(judge),
};

function judge(callback: Attempted, condition: CallbackCondition): Observation | undefined {
  if (condition !== "malformed" || !isReceiverFailure(callback.outcome)) return undefined;
  const url = showUrl(callback.url);
  const problem =
    callback.scripted?.malformed === true ? "whose body is not JSON" : "whose Content-Type is not application/json";
  return {
    subject: url,
    seen: `To a callback ${problem}, ${url} ${describeReaction(callback)}.`,
    exchanges: [callbackExchange(callback)],
  };
}
