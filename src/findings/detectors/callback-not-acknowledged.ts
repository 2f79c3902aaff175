import type { Attempted } from "../../account/events.ts";
import { explainOutcome } from "../../domain/explain-outcome.ts";
import { showUrl } from "../../domain/show-url.ts";
import { CALLBACK_EVENTS, callbackExchange, type Circumstance, watchCallbacks } from "../callback-watch.ts";
import type { Detector, Sighting } from "../detector.ts";
import { timeInWords } from "../in-words.ts";

/** A callback was answered with another code than 200. */
export const callbackNotAcknowledged: Detector = {
  id: "callback-not-acknowledged",
  severity: "defect",
  title: "A callback was answered with another code than 200",
  why: "Only HTTP 200 acknowledges a callback (gateway document, section 6, rule 2); not even 201 or 204 does. Whether the gateway sends it again is not documented, so the result may be lost.",
  mend: "Store the callback, then answer 200 with any body. For 403 or 419 exempt the route from CSRF protection (Laravel: validateCsrfTokens(except: [...]); Django: @csrf_exempt); for 400 or 415 let it parse JSON (Express: express.json()); for 404 or 405 compare the registered URL with your routes for POST.",
  assumes:
    "The registered URL is the one that is meant to take callbacks. Not counted are callbacks that a scenario spoilt, 4xx to a result that contradicts an earlier one, and 409 to a repeat.",
  kinds: CALLBACK_EVENTS,
  watch: () => watchCallbacks(judge),
};

function judge(callback: Attempted, circumstance: Circumstance): Sighting | undefined {
  const { outcome, url, millis } = callback;
  if (circumstance !== "ordinary" || outcome.kind !== "answered" || outcome.status === 200) return undefined;
  if (isObjection(callback, outcome.status)) return undefined;
  return {
    subject: `${showUrl(url)} answered ${outcome.status}`,
    seen: `After ${timeInWords(millis)}, ${explainOutcome(outcome, { url, timeout: millis })}`,
    exchanges: [callbackExchange(callback)],
  };
}

/** A receiver may refuse what contradicts its books; a conflict over a repeat is for `callback-answered-differently` to tell. */
function isObjection({ delivery, scripted }: Attempted, status: number): boolean {
  if (scripted?.contradict === true) return status >= 400 && status < 500;
  return delivery > 1 && status === 409;
}
