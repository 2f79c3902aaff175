import { isRequestEvent } from "../../gateway/account/event-guards.ts";
import type { ClientLeft, RequestEvent, RequestRefused } from "../../gateway/account/events.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import type { Breakage } from "../../gateway/scenario/applied-rules.ts";
import { type Instant, type Millis, MINUTE } from "../../gateway/domain/time.ts";
import { RecentMap } from "./recent-map.ts";
import { sentAt } from "./sent-at.ts";

/** A failure that may be temporary: 429, 5xx, or no answer. */
export interface Failure {
  readonly requestId: string;
  /** Words for a sentence: "after a 429". */
  readonly cause: string;
  /** When the client learned of it (wall time); if that is unknown, when the request was sent. */
  readonly at: Instant;
  /** The Retry-After of the refusal: the end on the account's clock, and the length of the wait. */
  readonly asked?: { readonly until: Instant; readonly wait: Millis };
}

/** A request sent again after a failure. */
export interface Retry {
  readonly event: RequestEvent;
  readonly failure: Failure;
  /** Wall time from the failure to the retry. */
  readonly wait: Millis;
  /** The number of the retry since the last success, from 1. */
  readonly nth: number;
}

/** A request repeated later than this is assumed to be a coincidence. */
const LATEST: Millis = 10 * MINUTE;

/** Detects requests that are sent again after a failure. */
export class RetryTracker {
  readonly #failed = new RecentMap<number, FailedRequest>();
  /** Requests whose client may disconnect before it gets an answer. */
  readonly #waiting = new RecentMap<string, WaitingRequest>();
  /** The number of accepted requests. If it has changed, an earlier refusal by the rate limit no longer matters. */
  #accepted = 0;

  see(event: AccountEvent): Retry | undefined {
    if (event.kind === "client-left") return this.#seeClientLeft(event);
    if (!isRequestEvent(event)) return undefined;
    if (event.kind === "accepted" || event.kind === "queried") this.#accepted += 1;
    return this.#seeRequest(event);
  }

  #seeRequest(event: RequestEvent): Retry | undefined {
    const earlier = this.#failedBefore(event);
    const retries = earlier === undefined ? 0 : earlier.retries + 1;
    const failure = failureOf(event);
    if (failure !== undefined) this.#failed.set(event.content, { failure, retries, accepted: this.#accepted });
    else if (earlier !== undefined) this.#failed.delete(event.content);
    if (mayDisconnect(event))
      this.#waiting.set(event.requestId, { content: event.content, sentAt: sentAt(event), retries });
    if (earlier === undefined) return undefined;
    return { event, failure: earlier.failure, wait: sentAt(event) - earlier.failure.at, nth: retries };
  }

  #failedBefore(event: RequestEvent): FailedRequest | undefined {
    const earlier = this.#failed.get(event.content);
    if (earlier === undefined) return undefined;
    const wait = sentAt(event) - earlier.failure.at;
    const isOver = wasRefusedUnread(event) && earlier.accepted < this.#accepted;
    return wait < 0 || wait > LATEST || isOver ? undefined : earlier;
  }

  #seeClientLeft({ requestId, waited }: ClientLeft): undefined {
    const left = this.#waiting.get(requestId);
    const last = left === undefined ? undefined : this.#failed.get(left.content);
    if (left === undefined || (last !== undefined && last.failure.requestId !== requestId)) return undefined;
    const failure = { requestId, cause: "after its client had given up waiting", at: left.sentAt + waited };
    this.#failed.set(left.content, { failure, retries: left.retries, accepted: this.#accepted });
    return undefined;
  }
}

interface FailedRequest {
  readonly failure: Failure;
  /** The number of retries before it. */
  readonly retries: number;
  readonly accepted: number;
}

interface WaitingRequest {
  readonly content: number;
  readonly sentAt: Instant;
  readonly retries: number;
}

function failureOf(event: RequestEvent): Failure | undefined {
  if (event.kind === "refused") return refusalFailure(event);
  const breakage = event.rules?.breakage;
  if (breakage === undefined) return undefined;
  const at = sentAt(event) + (CLIENT_TIMES_OUT.has(breakage) ? 0 : ackDelay(event));
  return { requestId: event.requestId, cause: `after its connection broke (${breakage})`, at };
}

/**
 * With these breakages the client decides when to disconnect, which is an event of its own. Until then, the failure counts from the
 * request.
 */
const CLIENT_TIMES_OUT: ReadonlySet<Breakage> = new Set<Breakage>(["hang", "drip"]);

function refusalFailure(event: RequestRefused): Failure | undefined {
  const { requestId, code, retryAt } = event;
  if (code !== 429 && code < 500) return undefined;
  const at = sentAt(event) + ackDelay(event);
  const asked = retryAt === undefined ? {} : { asked: { until: retryAt, wait: retryAt - event.at } };
  return { requestId, cause: `after a ${code}`, at, ...asked };
}

function mayDisconnect(event: RequestEvent): boolean {
  return event.rules !== undefined && (event.rules.breakage !== undefined || ackDelay(event) > 0);
}

function ackDelay({ rules }: RequestEvent): Millis {
  return rules?.ack?.delay ?? 0;
}

/** A request refused before its body was read, for example by the rate limit, has a different content key than an accepted one. */
function wasRefusedUnread(event: RequestEvent): boolean {
  return event.kind === "refused" && event.order === undefined && event.rules === undefined;
}
