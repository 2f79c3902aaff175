import type { Attempted } from "../../gateway/account/events.ts";
import { isAcknowledged } from "../../gateway/domain/callback-outcome.ts";
import { showUrl } from "../../gateway/domain/show-url.ts";
import { CALLBACK_EVENTS, callbackExchange, type CallbackCondition, watchCallbacks } from "./callback-watch.ts";
import type { Detector, Observation } from "./check.ts";
import { describeReaction } from "./describe.ts";
import { RecentMap } from "./recent-map.ts";

/** Reports a receiver that fails on a callback sent before the acknowledgment of its request. */
export const failsOnEarlyCallback: Detector = {
  id: "fails-on-early-callback",
  severity: "defect",
  title: "The receiver fails on a callback that comes before the acknowledgment",
  why: "Acknowledgment and callback use two connections, and on a slow network the callback can arrive first. A receiver that knows the request_id only from the acknowledgment then loses the result, and the order stays open forever.",
  repair:
    "Store a callback whose request_id is not known yet, answer 200, and match it when the acknowledgment arrives. Store the order before sending it, and do not hold a lock or the only worker while waiting for the acknowledgment (PHP's built-in server and Django's runserver --nothreading answer one request at a time).",
  assumes: "The URL is the receiver's: it must have acknowledged another callback, before or afterwards.",
  kinds: CALLBACK_EVENTS,
  watch: () => {
    const failures = new EarlyFailures();
    return watchCallbacks((callback, condition) => failures.see(callback, condition));
  },
};

/** Reports failures only for URLs that are known to accept callbacks. */
class EarlyFailures {
  readonly #working = new RecentMap<string, true>(1_000);
  /** The first failure of each URL that has not accepted a callback yet. */
  readonly #unproven = new RecentMap<string, Observation>(1_000);

  see(callback: Attempted, condition: CallbackCondition): Observation | undefined {
    const { url, outcome } = callback;
    if (condition === "ordinary" && isAcknowledged(outcome)) return this.#prove(url);
    const observation = judge(callback, condition);
    if (observation === undefined || this.#working.has(url)) return observation;
    if (!this.#unproven.has(url)) this.#unproven.set(url, observation);
    return undefined;
  }

  #prove(url: string): Observation | undefined {
    this.#working.set(url, true);
    const observation = this.#unproven.get(url);
    this.#unproven.delete(url);
    return observation;
  }
}

function judge(callback: Attempted, condition: CallbackCondition): Observation | undefined {
  if (condition !== "early") return undefined;
  const { requestId } = callback;
  const url = showUrl(callback.url);
  return {
    subject: url,
    seen: `To a callback that came before the acknowledgment of its request, ${url} ${describeReaction(callback)}.`,
    exchanges: [{ kind: "request", requestId }, callbackExchange(callback)],
  };
}
