import type { Attempted } from "../../account/events.ts";
import { explainOutcome } from "../../domain/explain-outcome.ts";
import { showUrl } from "../../domain/show-url.ts";
import { CALLBACK_EVENTS, callbackExchange, type Circumstance, watchCallbacks } from "../callback-watch.ts";
import type { Detector, Sighting } from "../detector.ts";

/** A callback found no receiver, or one that went away. */
export const callbackUnreachable: Detector = {
  id: "callback-unreachable",
  severity: "risk",
  title: "A callback did not reach its receiver",
  why: "A result whose callback cannot be delivered may never come again: whether the gateway tries once more is not documented. Money is spent by then, and your books do not know it.",
  mend: "Start the receiver and check name, port and certificate of the registered URL from where the sandbox runs; in a container, localhost is the container itself. For times when the receiver is down, let a job look for orders without a result and compare them with the balance of account-details.",
  assumes:
    "The receiver was meant to be up. One that is being restarted, or an idle connection that it closed at that very moment, looks the same.",
  kinds: CALLBACK_EVENTS,
  watch: () => watchCallbacks(judge),
};

function judge(callback: Attempted, circumstance: Circumstance): Sighting | undefined {
  if (!isUnreachable(callback, circumstance)) return undefined;
  const { outcome, url, millis } = callback;
  return { subject: showUrl(url), seen: explainOutcome(outcome, { url, timeout: millis }), exchanges: [callbackExchange(callback)] };
}

/** No callback is so bad that it keeps a connection from being made; but one may be, that its connection is ended over it. */
function isUnreachable({ outcome: { kind } }: Attempted, circumstance: Circumstance): boolean {
  if (kind === "reset") return circumstance === "ordinary";
  return kind === "refused" || kind === "unresolved_name" || kind === "tls";
}
