import type { Attempted } from "../../gateway/account/events.ts";
import { explainOutcome } from "../../gateway/domain/explain-outcome.ts";
import { showUrl } from "../../gateway/domain/show-url.ts";
import { CALLBACK_EVENTS, callbackExchange, type CallbackCondition, watchCallbacks } from "./callback-watch.ts";
import type { Detector, Observation } from "./check.ts";
import { describeDuration } from "./describe.ts";

/** Reports a callback answered with a redirect. */
export const callbackRedirected: Detector = {
  id: "callback-redirected",
  severity: "defect",
  title: "A callback was answered with a redirect",
  why: "Only HTTP 200 acknowledges a callback (gateway document, section 6, rule 2). A client that follows a redirect commonly repeats a POST as GET without its body, so the result would be lost even then.",
  repair:
    "Register the URL that answers itself: with the trailing slash if Django's APPEND_SLASH adds one, with https:// and the host name that the server insists on. Exempt the route from logins, and in Laravel answer failed validation as JSON instead of redirecting back.",
  assumes: "The gateway does not follow redirects; its document does not mention them.",
  kinds: CALLBACK_EVENTS,
  watch: () => watchCallbacks(judge),
};

function judge(callback: Attempted, condition: CallbackCondition): Observation | undefined {
  const { outcome, url, millis } = callback;
  if (condition !== "ordinary" || outcome.kind !== "redirect") return undefined;
  return {
    subject: showUrl(url),
    seen: `After ${describeDuration(millis)}, ${explainOutcome(outcome, { url, timeout: millis })}`,
    exchanges: [callbackExchange(callback)],
  };
}
