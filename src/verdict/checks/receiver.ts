import type { Attempted } from "../../gateway/account/events.ts";
import { responseTime, isAnsweredAfterCallbacks } from "../../gateway/account/readings/answer.ts";
import {
  deliveryEndOf,
  hasForeignHeaders,
  isReceived,
  isSameCallback,
  readAttempt,
  receiverStatus,
} from "../../gateway/account/readings/callback.ts";
import { RecentMap } from "../../gateway/account/readings/recent-map.ts";
import type { Aftermaths } from "../../gateway/account/readings/aftermaths.ts";
import { isUnresolved, type Transaction } from "../../gateway/account/transaction.ts";
import { isAcknowledged } from "../../gateway/domain/callback-outcome.ts";
import { explainOutcome } from "../../gateway/domain/explain-outcome.ts";
import { showUrl } from "../../gateway/domain/show-url.ts";
import { type Millis, SECOND } from "../../gateway/domain/time.ts";
import { NO_OBSERVATIONS, type Observation, type Watcher } from "./check.ts";
import { describeDuration } from "./describe.ts";
import type { ExchangeReference } from "./finding.ts";
import { RECEIVER_CHECKS, type ReceiverCheck } from "./receiver-checks.ts";

/** Reports what the receiver did with callbacks: late, wrong or missing answers, and failures on callbacks that are out of the ordinary. */
export const receiver: Watcher = {
  checks: RECEIVER_CHECKS,
  kinds: ["attempted"],
  watch: (_settings, aftermaths) => {
    const receivers = new Receivers(aftermaths);
    return (event) => (event.kind === "attempted" ? receivers.see(event) : NO_OBSERVATIONS);
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
  readonly #aftermaths: Aftermaths;
  readonly #byUrl = new RecentMap<string, ReceiverState>(1_000);
  /** What was reported of each delivery; its retries are not reported again. */
  readonly #reported = new RecentMap<string, true>();

  constructor(aftermaths: Aftermaths) {
    this.#aftermaths = aftermaths;
  }

  see(callback: Attempted): readonly Observation[] {
    const transaction = this.#aftermaths.transactionOf(callback.requestId);
    // What the sandbox blocked or gave up shows nothing of the receiver.
    if (transaction === undefined || deliveryEndOf(callback) === "given_up") return NO_OBSERVATIONS;
    const observations = this.#judge(callback, transaction);
    if (observations.length === 0) return NO_OBSERVATIONS;
    return observations.filter(({ id }) => {
      const reported = `${id} ${callback.requestId}/${callback.delivery}`;
      const isNew = !this.#reported.has(reported);
      this.#reported.set(reported, true);
      return isNew;
    });
  }

  #judge(callback: Attempted, transaction: Transaction): Observation[] {
    const state = this.#stateOf(callback.url);
    const odd = describeOdd(callback, transaction);
    const isEarly = odd === undefined && failsEarly(callback, transaction);
    if (odd === undefined && !isEarly) return judgeOrdinary(callback, transaction, state);
    // Nothing that a scenario does to a callback causes this.
    if (deliveryEndOf(callback) === "unreached") return [unreachable(callback)];
    // A URL that fails on ordinary callbacks, too, shows nothing of the others.
    if (state.isFailing) return [];
    if (isEarly) return judgeEarly(callback, state);
    if (odd?.check === undefined || !isFailure(callback)) return [];
    return [observe(odd.check, callback, `To a callback ${odd.words}, ${reaction(callback)}.`)];
  }

  #stateOf(url: string): ReceiverState {
    const known = this.#byUrl.get(url);
    if (known !== undefined) return known;
    const state = { isProven: false, isFailing: false, block: [] };
    this.#byUrl.set(url, state);
    return state;
  }
}

/** Says what a receiver may refuse a callback for, and which check a receiver that fails on it fails; undefined for an ordinary one. */
function describeOdd(
  callback: Attempted,
  transaction: Transaction,
): { readonly words: string; readonly check?: ReceiverCheck } | undefined {
  const reading = readAttempt(callback, transaction);
  if (reading.says === "unreadable")
    return { words: `that it cannot read (${reading.why})`, check: "fails-on-malformed" };
  if (reading.id !== callback.requestId)
    return { words: "with an unknown request_id", check: "fails-on-unknown-request-id" };
  // A receiver may read headers in many ways, and fails rightly on most of them.
  return hasForeignHeaders(callback) ? { words: "with other headers" } : undefined;
}

/** Only the first attempt may come while the client waits for its answer. */
function failsEarly(callback: Attempted, { accepted }: Transaction): boolean {
  if (callback.attempt > 1) return false;
  const isBefore = isAnsweredAfterCallbacks(accepted);
  if (!isBefore && responseTime(accepted) !== Infinity) return false;
  return isFailure(callback) || (isBefore && NOT_FOUND_STATUSES.has(receiverStatus(callback) ?? 200));
}

function judgeEarly(callback: Attempted, state: ReceiverState): Observation[] {
  const seen = `To a callback that came before the acknowledgment of its request, ${reaction(callback)}.`;
  const before = { kind: "request", requestId: callback.requestId } as const;
  const early = observe("fails-on-early-callback", callback, seen, { before });
  if (state.isProven) return [early];
  state.early ??= early;
  // It may be the only callback, and then this is all that the gateway knows of its receiver.
  return deliveryEndOf(callback) === "answered" ? judgeAnswer(callback, false) : [];
}

function judgeOrdinary(callback: Attempted, transaction: Transaction, state: ReceiverState): Observation[] {
  const { outcome, delivery } = callback;
  const isAccepted = isAcknowledged(outcome);
  // A repeated callback, which may contradict the first, may get a different answer for a good reason.
  if (delivery === 1) state.isFailing = !isAccepted;
  const observations = [
    ...judgeAnswer(callback, contradicts(callback, transaction)),
    ...compareAnswers(callback, transaction),
  ];
  if (!isAccepted) return observations;
  const { early } = state;
  state.isProven = true;
  state.early = undefined;
  return [...observations, ...(early === undefined ? [] : [early]), ...judgePace(callback, state)];
}

/** Returns whether a callback says another result than the first that arrived. */
function contradicts(callback: Attempted, transaction: Transaction): boolean {
  const attempts = attemptsOf(transaction);
  if (attempts.length < 2) return false;
  const first = attempts.find((one) => isReceived(one) && describeOdd(one, transaction) === undefined);
  if (first === undefined || first === callback) return false;
  const [earlier, later] = [readAttempt(first, transaction), readAttempt(callback, transaction)];
  if (earlier.says === "unreadable" || later.says === "unreadable") return false;
  return earlier.code !== later.code || earlier.charge !== later.charge;
}

/** Compares the answer to a callback with that to the latest delivery of the same bytes to the same URL. */
function compareAnswers(callback: Attempted, transaction: Transaction): Observation[] {
  const status = comparedStatus(callback);
  const attempts = attemptsOf(transaction);
  if (status === undefined || attempts.length < 2) return [];
  const earlier = attempts.findLast(
    (one) =>
      one !== callback &&
      comparedStatus(one) !== undefined &&
      !failsEarly(one, transaction) &&
      isSameCallback(one, callback, transaction),
  );
  if (earlier === undefined || earlier.delivery === callback.delivery || earlier.url !== callback.url) return [];
  const before = comparedStatus(earlier);
  // Somebody who sends a failed callback again by hand has repaired something.
  if (before === status || (!isAcknowledged(earlier.outcome) && isResent(callback, transaction))) return [];
  const seen = `${showUrl(callback.url)} answered delivery ${earlier.delivery} of a callback with ${before} and delivery ${callback.delivery}, the same bytes, with ${status}.`;
  return [observe("callback-answered-differently", callback, seen, { before: callbackExchange(earlier) })];
}

function attemptsOf({ progress }: Transaction): readonly Attempted[] {
  return isUnresolved(progress) ? [] : progress.attempts;
}

function isResent({ delivery }: Attempted, { progress }: Transaction): boolean {
  if (isUnresolved(progress)) return false;
  return progress.deliveries.some(({ number, cause }) => number === delivery && cause === "resend");
}

/** Proxies and limiters in front of an application say nothing of how it treats a callback. */
function comparedStatus(callback: Attempted): number | undefined {
  const status = receiverStatus(callback);
  return status === undefined || FROM_PROXIES.has(status) ? undefined : status;
}

/** The statuses with which frameworks report a record that does not exist (yet): not found, conflict, failed validation, too early. */
const NOT_FOUND_STATUSES: ReadonlySet<number> = new Set([404, 409, 422, 425]);

/** The statuses of rate limiters and proxies in front of an application. */
const FROM_PROXIES: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** The time limit for an acknowledgment (gateway document, section 8). */
const LIMIT: Millis = 3 * SECOND;

function judgeAnswer(callback: Attempted, isOtherResult: boolean): Observation[] {
  const end = deliveryEndOf(callback);
  if (end === "silent") return [observe("callback-answered-late", callback, `${reaction(callback)}.`)];
  if (end === "redirected") return [observe("callback-redirected", callback, explain(callback))];
  const status = receiverStatus(callback);
  if (status === undefined) return [unreachable(callback)];
  const isLate = callback.millis > LIMIT;
  const late = `${reaction(callback)}, past the limit of ${describeDuration(LIMIT)}.`;
  // A receiver may refuse a contradicting result. A 409 to a repeat is left to `callback-answered-differently`.
  const isJustified = isOtherResult ? isRejection(status) : callback.delivery > 1 && status === 409;
  const isRefused = status !== 200 && !isJustified;
  const subject = `${showUrl(callback.url)} answered ${status}`;
  return [
    ...(isLate ? [observe("callback-answered-late", callback, late)] : []),
    ...(isRefused ? [observe(refusalCheck(status), callback, explain(callback), { subject })] : []),
  ];
}

/** An application's own limit says nothing of how it treats a callback that it takes. */
function refusalCheck(status: number): ReceiverCheck {
  return status === 429 ? "callback-rate-limited" : "callback-not-acknowledged";
}

function isRejection(status: number): boolean {
  return status >= 400 && status < 500;
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
function isFailure(callback: Attempted): boolean {
  const end = deliveryEndOf(callback);
  return end === "answered" ? (receiverStatus(callback) ?? 0) >= 500 : end === "silent" || end === "ended";
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

function reaction(callback: Attempted): string {
  const [time, url, status] = [describeDuration(callback.millis), showUrl(callback.url), receiverStatus(callback)];
  if (status !== undefined) return `${url} answered ${status} after ${time}`;
  return deliveryEndOf(callback) === "silent"
    ? `${url} gave no answer in ${time}`
    : `${url} ended the connection without an answer after ${time}`;
}
