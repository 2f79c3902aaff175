import type { Attempted } from "../../account/events.ts";
import { showUrl } from "../../domain/show-url.ts";
import { CALLBACK_EVENTS, callbackExchange, type Circumstance, watchCallbacks } from "../callback-watch.ts";
import type { Detector, Sighting } from "../detector.ts";
import { hasFailed, reactionInWords } from "../reaction.ts";

/** The receiver broke down on a body that is not JSON, or does not say that it is. */
export const failsOnMalformed: Detector = {
  id: "fails-on-malformed",
  severity: "hint",
  title: "The receiver fails on a body it cannot read",
  why: "The URL is open to the internet, where anybody may send anything. A body that ends in an exception or a hanging request costs a worker each time and hides real failures in the log.",
  mend: "Check content type and body before using them, and answer 400 or 415 (Express: error middleware behind express.json(); Laravel: $request->validate(); Django: catch json.JSONDecodeError).",
  assumes: "The receiver answers ordinary callbacks: nothing is said while its URL does not acknowledge those.",
  kinds: CALLBACK_EVENTS,
  watch: () => watchCallbacks(judge),
};

function judge(callback: Attempted, circumstance: Circumstance): Sighting | undefined {
  if (circumstance !== "malformed" || !hasFailed(callback.outcome)) return undefined;
  const url = showUrl(callback.url);
  const flaw = callback.scripted?.malformed === true ? "whose body is not JSON" : "whose Content-Type is not application/json";
  return { subject: url, seen: `To a callback ${flaw}, ${url} ${reactionInWords(callback)}.`, exchanges: [callbackExchange(callback)] };
}
