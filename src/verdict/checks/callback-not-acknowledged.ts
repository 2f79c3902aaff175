import type { Attempted } from "../../gateway/account/events.ts";
import { explainOutcome } from "../../gateway/domain/explain-outcome.ts";
import { showUrl } from "../../gateway/domain/show-url.ts";
import { CALLBACK_EVENTS, callbackExchange, type CallbackCondition, watchCallbacks } from "./callback-watch.ts";
import type { Detector, Observation } from "./check.ts";
import { describeDuration } from "./describe.ts";

/** Reports a callback answered with any code other than 200. */
export const callbackNotAcknowledged: Detector = {
  id: "callback-not-acknowledged",
  severity: "defect",
  title: "A callback was answered with a code other than 200",
  why: "Only HTTP 200 acknowledges a callback (gateway document, section 6, rule 2), not even 201 or 204. Whether the gateway sends it again is not documented, so the result may be lost.",
  repair:
    "Store the callback, then answer 200 with any body. For 403 or 419 exempt the route from CSRF protection (Laravel: validateCsrfTokens(except: [...]); Django: @csrf_exempt); for 400 or 415 let it parse JSON (Express: express.json()); for 404 or 405 compare the registered URL with your routes for POST.",
  assumes:
    "The registered URL is the one meant for callbacks. Callbacks that a scenario corrupted are not counted, nor is 4xx to a result that contradicts an earlier one, or 409 to a repeat.",
  kinds: CALLBACK_EVENTS,
  watch: () => watchCallbacks(judge),
};

function judge(callback: Attempted, condition: CallbackCondition): Observation | undefined {
  const { outcome, url, millis } = callback;
  if (condition !== "ordinary" || outcome.kind !== "answered" || outcome.status === 200) return undefined;
  if (isJustifiedRefusal(callback, outcome.status)) return undefined;
  return {
    subject: `${showUrl(url)} answered ${outcome.status}`,
    seen: `After ${describeDuration(millis)}, ${explainOutcome(outcome, { url, timeout: millis })}`,
    exchanges: [callbackExchange(callback)],
  };
}

/** A receiver may refuse a contradicting result. A 409 to a repeat is left to `callback-answered-differently`. */
function isJustifiedRefusal({ delivery, scripted }: Attempted, status: number): boolean {
  if (scripted?.contradict === true) return status >= 400 && status < 500;
  return delivery > 1 && status === 409;
}
