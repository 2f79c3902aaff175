import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { isHanging } from "../../gateway/account/event-guards.ts";
import type { Attempted } from "../../gateway/account/events.ts";
import { isAcknowledged } from "../../gateway/domain/callback-outcome.ts";
import { explainOutcome } from "../../gateway/domain/explain-outcome.ts";
import { showUrl } from "../../gateway/domain/show-url.ts";
import { type Millis, SECOND } from "../../gateway/domain/time.ts";
import { spoiltBy } from "../../gateway/scenario/effects/callback-flags.ts";
import { NOTHING, type Observation, type Watcher } from "./check.ts";
import { describeDuration } from "./describe.ts";
import type { ExchangeReference } from "./finding.ts";
import { RECEIVER_CHECKS, type ReceiverCheck } from "./receiver-checks.ts";
import { RecentMap } from "./recent-map.ts";

/** Reports what the receiver did with callbacks: late, wrong or missing answers, and failures on callbacks that are out of the ordinary. */
export const receiver: Watcher = {
  checks: RECEIVER_CHECKS,
  kinds: ["accepted", "attempted", "resend-requested", "callbacks-changed"],
  watch: () => {
    const receivers = new Receivers();
    return (event) => receivers.see(event);
  },
};

interface ReceiverState {
  /** Whether it has acknowledged an ordinary callback, so that the route exists. */
  isProven: boolean;
  /** Whether it did not acknowledge its latest ordinary callback. */
  isFailing: boolean;
  /** A failure on an early callback, until the URL is proven. */
  early?: Observation | undefined;
  /** The latest acknowledgments, at most a block. */
  block: Attempted[];
}

class Receivers {
  readonly #byUrl = new RecentMap<string, ReceiverState>(1_000);
  /** Requests whose callback may arrive while their client waits: it is sent before the acknowledgment, or that never leaves. */
  readonly #early = new RecentMap<string, "before-ack" | "hanging">();
  /** What was reported of each delivery; its retries are not reported again. */
  readonly #reported = new RecentMap<string, true>();
  #answers = new RecentMap<string, Attempted>();

  see(event: AccountEvent): readonly Observation[] {
    switch (event.kind) {
      case "accepted":
        if (event.plan.callback?.before_ack === true) this.#early.set(event.requestId, "before-ack");
        else if (isHanging(event.rules)) this.#early.set(event.requestId, "hanging");
        return NOTHING;
      case "callbacks-changed":
        // With other headers or another URL, it is not the same callback.
        this.#answers = new RecentMap();
        return NOTHING;
      case "resend-requested":
        this.#forgetFailure(event.requestId);
        return NOTHING;
      case "attempted":
        return NOT_OF_RECEIVER.has(event.outcome.kind) ? NOTHING : this.#report(event);
      default:
        return NOTHING;
    }
  }

  /** A manual resend after a failure means that something was repaired. */
  #forgetFailure(requestId: string): void {
    const earlier = this.#answers.get(requestId);
    if (earlier !== undefined && !isAcknowledged(earlier.outcome)) this.#answers.delete(requestId);
  }

  #report(callback: Attempted): readonly Observation[] {
    const observations = this.#judge(callback);
    if (observations.length === 0) return NOTHING;
    return observations.filter(({ id }) => {
      const reported = `${id} ${callback.requestId}/${callback.delivery}`;
      const isNew = !this.#reported.has(reported);
      this.#reported.set(reported, true);
      return isNew;
    });
  }

  #judge(callback: Attempted): Observation[] {
    const { scripted = {}, url } = callback;
    const state = this.#stateOf(url);
    const spoilt = spoiltBy(scripted);
    if (spoilt === undefined && !this.#failsEarly(callback)) return this.#judgeOrdinary(callback, state);
    if (UNREACHED.has(callback.outcome.kind)) return [unreachable(callback)];
    // A URL that fails on ordinary callbacks, too, shows nothing of the others.
    if (state.isFailing) return [];
    return spoilt === undefined ? this.#judgeEarly(callback, state) : judgeSpoilt(callback, spoilt);
  }

  #judgeEarly(callback: Attempted, state: ReceiverState): Observation[] {
    const seen = `To a callback that came before the acknowledgment of its request, ${reaction(callback)}.`;
    const before = { kind: "request", requestId: callback.requestId } as const;
    const early = observe("fails-on-early-callback", callback, seen, { before });
    if (state.isProven) return [early];
    state.early ??= early;
    // It may be the only callback, and then this is all that the gateway knows of its receiver.
    return callback.outcome.kind === "answered" ? judgeAnswer(callback) : [];
  }

  #stateOf(url: string): ReceiverState {
    const known = this.#byUrl.get(url);
    if (known !== undefined) return known;
    const state = { isProven: false, isFailing: false, block: [] };
    this.#byUrl.set(url, state);
    return state;
  }

  /** Only the first attempt is sent before the acknowledgment. */
  #failsEarly({ requestId, attempt, outcome }: Attempted): boolean {
    const early = attempt > 1 ? undefined : this.#early.get(requestId);
    if (early === undefined) return false;
    const isNotFound = outcome.kind === "answered" && NOT_FOUND_STATUSES.has(outcome.status);
    return isFailure(outcome) || (early === "before-ack" && isNotFound);
  }

  #judgeOrdinary(callback: Attempted, state: ReceiverState): Observation[] {
    const { outcome, delivery } = callback;
    const isAccepted = isAcknowledged(outcome);
    // A repeated callback, which may contradict the first, may get a different answer for a good reason.
    if (delivery === 1) state.isFailing = !isAccepted;
    const observations = [...judgeAnswer(callback), ...this.#compare(callback)];
    if (!isAccepted) return observations;
    const { early } = state;
    state.isProven = true;
    state.early = undefined;
    return [...observations, ...(early === undefined ? [] : [early]), ...judgePace(callback, state)];
  }

  #compare(callback: Attempted): Observation[] {
    const { requestId, url } = callback;
    const status = statusOf(callback);
    if (status === undefined || FROM_PROXIES.has(status)) return [];
    const key = isOtherResult(callback) ? `${requestId} contradicted` : requestId;
    const earlier = this.#answers.get(key);
    this.#answers.set(key, callback);
    if (earlier === undefined || earlier.delivery === callback.delivery || earlier.url !== url) return [];
    const before = statusOf(earlier);
    if (before === status) return [];
    const seen = `${showUrl(url)} answered delivery ${earlier.delivery} of a callback with ${before} and delivery ${callback.delivery}, the same bytes, with ${status}.`;
    return [observe("callback-answered-differently", callback, seen, { before: callbackExchange(earlier) })];
  }
}

function statusOf({ outcome }: Attempted): number | undefined {
  return "status" in outcome ? outcome.status : undefined;
}

/** Attempts that the sandbox blocked or abandoned show nothing of the receiver. */
const NOT_OF_RECEIVER: ReadonlySet<string> = new Set(["blocked", "abandoned"]);

/** Nothing that a scenario does to a callback causes these. */
const UNREACHED: ReadonlySet<string> = new Set(["refused", "unresolved_name", "tls"]);

/** The statuses with which frameworks report a record that does not exist (yet): not found, conflict, failed validation, too early. */
const NOT_FOUND_STATUSES: ReadonlySet<number> = new Set([404, 409, 422, 425]);

/** The statuses of rate limiters and proxies in front of an application. */
const FROM_PROXIES: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** The time limit for an acknowledgment (gateway document, section 8). */
const LIMIT: Millis = 3 * SECOND;

function judgeAnswer(callback: Attempted): Observation[] {
  const { outcome, url, millis } = callback;
  switch (outcome.kind) {
    case "answered": {
      const isLate = millis > LIMIT;
      const late = `${reaction(callback)}, past the limit of ${describeDuration(LIMIT)}.`;
      const isRefused = outcome.status !== 200 && !isJustifiedRefusal(callback, outcome.status);
      const subject = `${showUrl(url)} answered ${outcome.status}`;
      return [
        ...(isLate ? [observe("callback-answered-late", callback, late)] : []),
        ...(isRefused ? [observe(refusalCheck(outcome.status), callback, explain(callback), { subject })] : []),
      ];
    }
    case "timed_out":
      return [observe("callback-answered-late", callback, `${reaction(callback)}.`)];
    case "redirect":
      return [observe("callback-redirected", callback, explain(callback))];
    default:
      return [unreachable(callback)];
  }
}

/** An application's own limit says nothing of how it treats a callback that it takes. */
function refusalCheck(status: number): ReceiverCheck {
  return status === 429 ? "callback-rate-limited" : "callback-not-acknowledged";
}

/** Returns whether it reports another result than the first delivery. */
function isOtherResult({ scripted = {} }: Attempted): boolean {
  return scripted.contradict === true || scripted.reverse === true;
}

/** A receiver may refuse a contradicting result. A 409 to a repeat is left to `callback-answered-differently`. */
function isJustifiedRefusal(callback: Attempted, status: number): boolean {
  if (isOtherResult(callback)) return status >= 400 && status < 500;
  return callback.delivery > 1 && status === 409;
}

/** A receiver may read headers in many ways, and fails rightly on most of them. */
function judgeSpoilt(callback: Attempted, spoilt: NonNullable<ReturnType<typeof spoiltBy>>): Observation[] {
  if (spoilt === "headers" || !isFailure(callback.outcome)) return [];
  if (spoilt === "id") {
    const seen = `To a callback with an unknown request_id, ${reaction(callback)}.`;
    return [observe("fails-on-unknown-request-id", callback, seen)];
  }
  return [observe("fails-on-malformed", callback, `To a callback ${problemOf(callback)}, ${reaction(callback)}.`)];
}

function problemOf({ scripted = {} }: Attempted): string {
  if (scripted.malformed === true) return "whose body is not JSON";
  return scripted.wrong_content_type === true ? "whose Content-Type is not application/json" : "with scripted content";
}

/** The number of answers judged together. The 95th percentile of fewer would mean nothing. */
const BLOCK = 20;
const SLOW: Millis = SECOND;

function judgePace(callback: Attempted, state: ReceiverState): Observation[] {
  state.block.push(callback);
  if (state.block.length < BLOCK) return [];
  const slow = state.block.filter(({ millis }) => millis > SLOW);
  state.block = [];
  // The 19th of 20 sorted answers is their 95th percentile.
  const p95 = slow
    .map(({ millis }) => millis)
    .toSorted((one, other) => one - other)
    .at(-2);
  if (p95 === undefined) return [];
  const url = showUrl(callback.url);
  const seen = `${url} took longer than ${describeDuration(SLOW)} for ${slow.length} of ${BLOCK} callbacks in a row; the 95th percentile is ${describeDuration(p95)}.`;
  return [{ id: "slow-receiver", subject: url, seen, exchanges: slow.map(callbackExchange) }];
}

/** Returns whether a receiver that was reached failed: a server error, no answer in time, or a connection closed without one. */
function isFailure(outcome: Attempted["outcome"]): boolean {
  if (outcome.kind === "answered") return outcome.status >= 500;
  return outcome.kind === "timed_out" || outcome.kind === "reset";
}

function unreachable(callback: Attempted): Observation {
  const { outcome, url, millis } = callback;
  return observe("callback-unreachable", callback, explainOutcome(outcome, { url, timeout: millis }));
}

/** The subject is the URL unless it is given; `before` is an earlier exchange that proves it, too. */
function observe(
  id: ReceiverCheck,
  callback: Attempted,
  seen: string,
  { subject = showUrl(callback.url), before }: { readonly subject?: string; readonly before?: ExchangeReference } = {},
): Observation {
  const exchange = callbackExchange(callback);
  return { id, subject, seen, exchanges: before === undefined ? [exchange] : [before, exchange] };
}

function callbackExchange({ requestId, attempt }: Attempted): ExchangeReference {
  return { kind: "callback", requestId, attempt };
}

function explain({ outcome, url, millis }: Attempted): string {
  return `After ${describeDuration(millis)}, ${explainOutcome(outcome, { url, timeout: millis })}`;
}

function reaction({ outcome, millis, url }: Attempted): string {
  const time = describeDuration(millis);
  if (outcome.kind === "timed_out") return `${showUrl(url)} gave no answer in ${time}`;
  return "status" in outcome
    ? `${showUrl(url)} answered ${outcome.status} after ${time}`
    : `${showUrl(url)} ended the connection without an answer after ${time}`;
}
