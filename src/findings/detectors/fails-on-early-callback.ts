import type { Attempted } from "../../account/events.ts";
import { showUrl } from "../../domain/show-url.ts";
import { CALLBACK_EVENTS, callbackExchange, type Circumstance, watchCallbacks } from "../callback-watch.ts";
import type { Detector, Sighting } from "../detector.ts";
import { reactionInWords } from "../reaction.ts";

/** The receiver broke down on a callback that came before the acknowledgment of its request. */
export const failsOnEarlyCallback: Detector = {
  id: "fails-on-early-callback",
  severity: "defect",
  title: "The receiver fails on a callback that comes before the acknowledgment",
  why: "Acknowledgment and callback travel on two connections, and on a slow network the second can arrive first. A receiver that knows the request_id only from the acknowledgment then loses the result: the order stays open for ever.",
  mend: "Keep a callback whose request_id is not known yet, answer 200, and match it when the acknowledgment arrives. Store the order before it is sent, and do not hold a lock or the only worker while waiting for the acknowledgment (PHP's built-in server and Django's runserver --nothreading answer one request at a time).",
  assumes: "The receiver answers callbacks that come later: nothing is said while its URL does not acknowledge those.",
  kinds: CALLBACK_EVENTS,
  watch: () => watchCallbacks(judge),
};

function judge(callback: Attempted, circumstance: Circumstance): Sighting | undefined {
  if (circumstance !== "early") return undefined;
  const { requestId } = callback;
  const url = showUrl(callback.url);
  return {
    subject: url,
    seen: `To a callback that came before the acknowledgment of its request, ${url} ${reactionInWords(callback)}.`,
    exchanges: [{ kind: "request", requestId }, callbackExchange(callback)],
  };
}
