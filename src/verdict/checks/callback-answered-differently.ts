import type { Attempted } from "../../gateway/account/events.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import type { CallbackAnswer } from "../../gateway/domain/callback-outcome.ts";
import { showUrl } from "../../gateway/domain/show-url.ts";
import { CALLBACK_EVENTS, callbackExchange, type CallbackCondition, watchCallbacks } from "./callback-watch.ts";
import type { Detector, Observation, Watch } from "./check.ts";
import type { Exchange } from "./finding.ts";
import { RecentMap } from "./recent-map.ts";

/** Reports a callback that was delivered twice and answered differently. */
export const callbackAnsweredDifferently: Detector = {
  id: "callback-answered-differently",
  severity: "risk",
  title: "The same callback was answered in two ways",
  why: "A repeated callback that is not answered 200 like the first looks undelivered and may be sent forever. Often repeats run into a unique key or a changed status instead of being recognized.",
  repair:
    "Look up the request_id first, inside the transaction that stores the result: if it is settled, change nothing and answer 200. Use a unique key on request_id for two callbacks that arrive at once (INSERT ... ON CONFLICT DO NOTHING; Laravel: insertOrIgnore), and answer 200 there too.",
  assumes:
    "Two deliveries of one callback to one URL have the same bytes. Answers of 429, 502, 503 and 504 are not compared, because they come from in front of the application, nor are callbacks that were resent by hand after they had failed.",
  kinds: [...CALLBACK_EVENTS, "resend-requested", "callbacks-changed"],
  watch: watchAnswers,
};

function watchAnswers(): Watch {
  const answers = new Answers();
  const compare = watchCallbacks((callback, condition) => answers.compare(callback, condition));
  return (event) => {
    answers.forget(event);
    return compare(event);
  };
}

/** The latest answer to a callback. */
interface Answer {
  readonly status: number;
  readonly url: string;
  readonly delivery: number;
  readonly exchange: Exchange;
}

class Answers {
  #latest = new RecentMap<string, Answer>();

  /** A manual resend after a failure means that something was repaired. With other headers or another URL, it is not the same callback. */
  forget(event: AccountEvent): void {
    if (event.kind === "callbacks-changed") this.#latest = new RecentMap();
    if (event.kind !== "resend-requested" || this.#latest.get(event.requestId)?.status === 200) return;
    this.#latest.delete(event.requestId);
  }

  compare(callback: Attempted, condition: CallbackCondition): Observation | undefined {
    const { outcome, requestId, scripted, url, delivery } = callback;
    if (condition !== "ordinary" || !isOwnAnswer(outcome)) return undefined;
    const callbackKey = scripted?.contradict === true ? `${requestId} contradicted` : requestId;
    const earlier = this.#latest.get(callbackKey);
    const { status } = outcome;
    const answer = { status, url, delivery, exchange: callbackExchange(callback) };
    this.#latest.set(callbackKey, answer);
    return earlier !== undefined && isDifferent(earlier, answer) ? observe(earlier, answer) : undefined;
  }
}

/** The statuses of rate limiters and proxies in front of an application. */
const FROM_PROXIES: ReadonlySet<number> = new Set([429, 502, 503, 504]);

function isOwnAnswer(outcome: Attempted["outcome"]): outcome is CallbackAnswer {
  return (outcome.kind === "answered" || outcome.kind === "redirect") && !FROM_PROXIES.has(outcome.status);
}

function isDifferent(earlier: Answer, later: Answer): boolean {
  return earlier.delivery !== later.delivery && earlier.url === later.url && earlier.status !== later.status;
}

function observe(earlier: Answer, later: Answer): Observation {
  const url = showUrl(later.url);
  return {
    subject: url,
    seen: `${url} answered delivery ${earlier.delivery} of a callback with ${earlier.status} and delivery ${later.delivery}, the same bytes, with ${later.status}.`,
    exchanges: [earlier.exchange, later.exchange],
  };
}
