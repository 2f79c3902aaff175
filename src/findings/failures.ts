import { type AccountEvent, type ClientLeft, isRequestEvent, type RequestEvent, type RequestRefused } from "../account/events.ts";
import type { Breakage } from "../domain/scenario.ts";
import { type Instant, type Millis, MINUTE } from "../domain/time.ts";
import { RecentMap } from "./recent-map.ts";
import { sentAt } from "./sent-at.ts";

/** A request that failed in a way that may pass: 429, 5xx, or no answer. */
export interface Failure {
  readonly requestId: string;
  /** As it stands in a sentence: "after a 429". */
  readonly cause: string;
  /** Wall time at which the client knew of it; when it was sent, where that is not known. */
  readonly at: Instant;
  /** What Retry-After asked for: until when on the account's clock, and how long that was. */
  readonly asked?: { readonly until: Instant; readonly wait: Millis };
}

/** The same request sent again behind a failure. */
export interface Retry {
  readonly event: RequestEvent;
  readonly failure: Failure;
  /** From the failure to the retry, in wall time. */
  readonly wait: Millis;
  /** Counts the retries without a success between them, from 1. */
  readonly nth: number;
}

/** Later it is the same request by chance. */
const LATEST: Millis = 10 * MINUTE;

/** Notices what is sent again behind a failure. */
export class Failures {
  readonly #failed = new RecentMap<number, Failing>();
  /** Requests whose client may leave before it has an answer. */
  readonly #waiting = new RecentMap<string, Waiting>();
  /** Grows with each request that was taken: a rate limit that refused others is over then. */
  #taken = 0;

  see(event: AccountEvent): Retry | undefined {
    if (event.kind === "client-left") return this.#seeLeft(event);
    if (!isRequestEvent(event)) return undefined;
    if (event.kind === "accepted" || event.kind === "queried") this.#taken += 1;
    return this.#seeRequest(event);
  }

  #seeRequest(event: RequestEvent): Retry | undefined {
    const earlier = this.#failingBefore(event);
    const retries = earlier === undefined ? 0 : earlier.retries + 1;
    const failure = failureOf(event);
    if (failure !== undefined) this.#failed.set(event.content, { failure, retries, taken: this.#taken });
    else if (earlier !== undefined) this.#failed.delete(event.content);
    if (mayBeLeft(event)) this.#waiting.set(event.requestId, { content: event.content, sentAt: sentAt(event), retries });
    if (earlier === undefined) return undefined;
    return { event, failure: earlier.failure, wait: sentAt(event) - earlier.failure.at, nth: retries };
  }

  #failingBefore(event: RequestEvent): Failing | undefined {
    const earlier = this.#failed.get(event.content);
    if (earlier === undefined) return undefined;
    const wait = sentAt(event) - earlier.failure.at;
    const isOver = isUnread(event) && earlier.taken < this.#taken;
    return wait < 0 || wait > LATEST || isOver ? undefined : earlier;
  }

  #seeLeft({ requestId, waited }: ClientLeft): undefined {
    const left = this.#waiting.get(requestId);
    const last = left === undefined ? undefined : this.#failed.get(left.content);
    if (left === undefined || (last !== undefined && last.failure.requestId !== requestId)) return undefined;
    const failure = { requestId, cause: "after its client had given up waiting", at: left.sentAt + waited };
    this.#failed.set(left.content, { failure, retries: left.retries, taken: this.#taken });
    return undefined;
  }
}

interface Failing {
  readonly failure: Failure;
  /** How many retries came before it. */
  readonly retries: number;
  readonly taken: number;
}

interface Waiting {
  readonly content: number;
  readonly sentAt: Instant;
  readonly retries: number;
}

function failureOf(event: RequestEvent): Failure | undefined {
  if (event.kind === "refused") return refusalFailure(event);
  const breakage = event.directed?.breakage;
  if (breakage === undefined) return undefined;
  const at = sentAt(event) + (WAITED_OUT.has(breakage) ? 0 : ackDelay(event));
  return { requestId: event.requestId, cause: `after its connection broke (${breakage})`, at };
}

/** Its client leaves when it will, and that is told; until then the failure counts from the request, so that the wait seems longer. */
const WAITED_OUT: ReadonlySet<Breakage> = new Set<Breakage>(["hang", "drip"]);

function refusalFailure(event: RequestRefused): Failure | undefined {
  const { requestId, code, retryAt } = event;
  if (code !== 429 && code < 500) return undefined;
  const at = sentAt(event) + ackDelay(event);
  const asked = retryAt === undefined ? {} : { asked: { until: retryAt, wait: retryAt - event.at } };
  return { requestId, cause: `after a ${code}`, at, ...asked };
}

function mayBeLeft(event: RequestEvent): boolean {
  return event.directed !== undefined && (event.directed.breakage !== undefined || ackDelay(event) > 0);
}

function ackDelay({ directed }: RequestEvent): Millis {
  return directed?.ack?.delay ?? 0;
}

/** Refused before it was read, as the rate limit does; once it is taken it has another content. */
function isUnread(event: RequestEvent): boolean {
  return event.kind === "refused" && event.order === undefined && event.directed === undefined;
}
