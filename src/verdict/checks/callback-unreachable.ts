import type { Attempted } from "../../gateway/account/events.ts";
import { explainOutcome } from "../../gateway/domain/explain-outcome.ts";
import { showUrl } from "../../gateway/domain/show-url.ts";
import { CALLBACK_EVENTS, callbackExchange, type CallbackCondition, watchCallbacks } from "./callback-watch.ts";
import type { Detector, Observation } from "./check.ts";

/** Reports a callback that could not reach its receiver. */
export const callbackUnreachable: Detector = {
  id: "callback-unreachable",
  severity: "risk",
  title: "A callback did not reach its receiver",
  why: "A result whose callback cannot be delivered may never come again: retries are not documented. The money is spent by then, and your application does not know it.",
  repair:
    "Start the receiver and check host name, port and certificate of the registered URL from where the sandbox runs; in a container, localhost is the container itself. For times when the receiver is down, run a job that looks for orders without a result and compares them with the balance of account-details.",
  assumes:
    "The receiver was meant to be up. A restart, or an idle connection closed at that very moment, looks the same.",
  kinds: CALLBACK_EVENTS,
  watch: () => watchCallbacks(judge),
};

function judge(callback: Attempted, condition: CallbackCondition): Observation | undefined {
  if (!isUnreachable(callback, condition)) return undefined;
  const { outcome, url, millis } = callback;
  return {
    subject: showUrl(url),
    seen: explainOutcome(outcome, { url, timeout: millis }),
    exchanges: [callbackExchange(callback)],
  };
}

/** A corrupted callback never prevents a connection, but the receiver may close the connection because of it. */
function isUnreachable({ outcome: { kind } }: Attempted, condition: CallbackCondition): boolean {
  if (kind === "reset") return condition === "ordinary";
  return kind === "refused" || kind === "unresolved_name" || kind === "tls";
}
