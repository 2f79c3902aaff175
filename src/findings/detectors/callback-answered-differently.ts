import type { AccountEvent, Attempted } from "../../account/events.ts";
import type { CallbackAnswer } from "../../domain/callback-outcome.ts";
import { showUrl } from "../../domain/show-url.ts";
import { CALLBACK_EVENTS, callbackExchange, type Circumstance, watchCallbacks } from "../callback-watch.ts";
import type { Detector, Sighting, Watch } from "../detector.ts";
import type { Exchange } from "../finding.ts";
import { RecentMap } from "../recent-map.ts";

/** The same callback came twice and was answered in two ways. */
export const callbackAnsweredDifferently: Detector = {
  id: "callback-answered-differently",
  severity: "risk",
  title: "The same callback was answered in two ways",
  why: "A repeat that is not answered 200 like the first looks undelivered, and may be sent for ever. It often shows that repeats run into a unique key or a changed status instead of being recognised.",
  mend: "Look the request_id up first, inside the transaction that stores the result: if it is settled, change nothing and answer 200. Let a unique key on request_id catch two that come at once (INSERT ... ON CONFLICT DO NOTHING; Laravel: insertOrIgnore), and answer 200 there too.",
  assumes:
    "Two deliveries of one callback to one URL are equal to the byte. Not compared are 429, 502, 503 and 504, which are told before the application is reached, and a callback that somebody asked for again after it had failed.",
  kinds: [...CALLBACK_EVENTS, "resend-requested", "callbacks-changed"],
  watch: watchAnswers,
};

function watchAnswers(): Watch {
  const answers = new Answers();
  const compare = watchCallbacks((callback, circumstance) => answers.compare(callback, circumstance));
  return (event) => {
    answers.forget(event);
    return compare(event);
  };
}

/** The latest answer to one callback. */
interface Answer {
  readonly status: number;
  readonly url: string;
  readonly delivery: number;
  readonly exchange: Exchange;
}

class Answers {
  #latest = new RecentMap<string, Answer>();

  /** Whoever asks for a failed callback again has mended something; with other headers or another URL it is not the same one. */
  forget(event: AccountEvent): void {
    if (event.kind === "callbacks-changed") this.#latest = new RecentMap();
    if (event.kind !== "resend-requested" || this.#latest.get(event.requestId)?.status === 200) return;
    this.#latest.delete(event.requestId);
  }

  compare(callback: Attempted, circumstance: Circumstance): Sighting | undefined {
    const { outcome, requestId, scripted, url, delivery } = callback;
    if (circumstance !== "ordinary" || !isOwnAnswer(outcome)) return undefined;
    const letter = scripted?.contradict === true ? `${requestId} contradicted` : requestId;
    const earlier = this.#latest.get(letter);
    const { status } = outcome;
    const answer = { status, url, delivery, exchange: callbackExchange(callback) };
    this.#latest.set(letter, answer);
    return earlier !== undefined && isOtherwise(earlier, answer) ? tell(earlier, answer) : undefined;
  }
}

/** Limiters and proxies in front of an application have these for times when it is not reached. */
const FROM_IN_FRONT: ReadonlySet<number> = new Set([429, 502, 503, 504]);

function isOwnAnswer(outcome: Attempted["outcome"]): outcome is CallbackAnswer {
  return (outcome.kind === "answered" || outcome.kind === "redirect") && !FROM_IN_FRONT.has(outcome.status);
}

function isOtherwise(earlier: Answer, later: Answer): boolean {
  return earlier.delivery !== later.delivery && earlier.url === later.url && earlier.status !== later.status;
}

function tell(earlier: Answer, later: Answer): Sighting {
  const url = showUrl(later.url);
  return {
    subject: url,
    seen: `${url} answered delivery ${earlier.delivery} of a callback with ${earlier.status} and delivery ${later.delivery}, the same bytes, with ${later.status}.`,
    exchanges: [earlier.exchange, later.exchange],
  };
}
