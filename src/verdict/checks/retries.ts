import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { isRequestEvent } from "../../gateway/account/event-guards.ts";
import type { RequestEvent } from "../../gateway/account/events.ts";
import { type Instant, type Millis, MINUTE, SECOND } from "../../gateway/domain/time.ts";
import { NO_OBSERVATIONS, type Observation, type Watcher, type WatchSettings } from "./check.ts";
import { describeDuration } from "./describe.ts";
import { requestExchanges } from "./finding.ts";
import { RecentMap } from "../../gateway/account/readings/recent-map.ts";
import { type AnswerReading, responseTime, answerOf, sentAt } from "../../gateway/account/readings/answer.ts";

export const retries: Watcher = {
  checks: [
    {
      id: "no-back-off",
      severity: "risk",
      title: "Retries came without back-off",
      why: "A gateway that answers 429 or 5xx, or cuts connections, is overloaded. Retries that come at once, or evenly, keep it down and use up your attempts before it recovers.",
      repair:
        "Wait at least as long as Retry-After says. Otherwise start with a second, double the wait with each retry, add random jitter, and give up after a few attempts (Node: p-retry; PHP: Laravel's $backoff; Python: tenacity; Java: Resilience4j's IntervalFunction). Never retry an order whose outcome is unknown.",
      assumes:
        "An equal request within 10 minutes of a failure is a retry of it, though equal requests of different customers, or of a load test, look the same. At least three retries count, in wall time. Evenly spaced retries 10 s or more apart are not reported.",
    },
    {
      id: "requests-burst",
      severity: "risk",
      title: "Requests came in a burst",
      why: "The gateway's document states no rate, so this limit is yours. A live gateway that has one answers 429 above it, when it is busiest.",
      repair:
        "Send through one queue with its own limit, shared by all workers (Node: BullMQ's limiter; PHP: Laravel's RateLimited middleware; Python: Celery's rate_limit; Java: Resilience4j's RateLimiter).",
      assumes:
        "The limit applies to the whole account, in wall time. A window begins with its first request, so a burst across two windows may go unseen.",
    },
  ],
  kinds: ["accepted", "queried", "cut", "refused"],
  watch: ({ burst }) => {
    const failed = new FailedRequests();
    const window = burst && new BurstWindow(burst);
    return (event) => {
      const seen = failed.see(event);
      const burst = isRequestEvent(event) ? window?.see(event) : undefined;
      return burst === undefined ? seen : [...seen, burst];
    };
  },
};

/** A failure that may be temporary: 429, 5xx, or no answer. */
interface Failure {
  /** Words for a sentence: "after a 429". */
  readonly cause: string;
  /** When the client learned of it (wall time); if that is unknown, when the request was sent. */
  readonly at: Instant;
  /** The Retry-After of the refusal: the end on the account's clock, and the length of the wait. */
  readonly asked?: { readonly until: Instant; readonly wait: Millis };
}

/** The tries of one request since its last success. */
interface Tries {
  readonly retries: number;
  /** The last waits between them. */
  readonly waits: readonly Millis[];
  readonly requestIds: readonly string[];
  /** How often in a row Retry-After was ignored. */
  readonly ignored: number;
}

interface FailedRequest extends Tries {
  readonly failure: Failure;
  /** The number of requests accepted before it. If it has changed, an earlier refusal by the rate limit no longer matters. */
  readonly accepted: number;
}

/** A request repeated later than this is assumed to be a coincidence. */
const LATEST: Millis = 10 * MINUTE;

/** One quick retry is sensible, and two may be a coincidence. */
const JUDGED_RETRIES = 3;

class FailedRequests {
  readonly #failed = new RecentMap<number, FailedRequest>();
  #accepted = 0;

  see(event: AccountEvent): readonly Observation[] {
    if (!isRequestEvent(event)) return NO_OBSERVATIONS;
    if (event.kind === "accepted" || event.kind === "queried") this.#accepted += 1;
    const earlier = this.#failedBefore(event);
    const failure = failureOf(event);
    if (earlier === undefined && failure === undefined) return NO_OBSERVATIONS;
    const first = { retries: 0, waits: [], requestIds: [event.requestId], ignored: 0 };
    const tries = earlier === undefined ? first : addRetry(earlier, event);
    if (failure === undefined) this.#failed.delete(event.content);
    else this.#failed.set(event.content, { ...tries, failure, accepted: this.#accepted });
    return earlier === undefined ? NO_OBSERVATIONS : judge(tries, earlier.failure);
  }

  #failedBefore(event: RequestEvent): FailedRequest | undefined {
    const earlier = this.#failed.get(event.content);
    if (earlier === undefined) return undefined;
    const wait = sentAt(event) - earlier.failure.at;
    // A request refused before its body was read, for example by the rate limit, has a different content than an accepted one.
    const isUnread = event.kind === "refused" && event.order === undefined && event.rules === undefined;
    return wait < 0 || wait > LATEST || (isUnread && earlier.accepted < this.#accepted) ? undefined : earlier;
  }
}

/** With an answer that has no end, a client decides itself when to give up, and has been patient by then. */
function failureOf(event: RequestEvent): Failure | undefined {
  const answer = answerOf(event);
  const at = sentAt(event) + responseTime(event);
  if (answer.says === "none")
    return answer.isEndless ? undefined : { cause: `after its answer was lost (${answer.why})`, at };
  if (answer.says === "accepted" || !isTemporary(answer)) return undefined;
  const retryAt = event.kind === "refused" ? event.retryAt : undefined;
  const asked = retryAt === undefined ? undefined : { until: retryAt, wait: retryAt - event.at };
  return { cause: `after a ${answer.says === "refused" ? answer.code : answer.status}`, at, asked };
}

function isTemporary(answer: Exclude<AnswerReading, { says: "accepted" | "none" }>): boolean {
  const code = answer.says === "refused" ? answer.code : answer.status;
  return code === 429 || code >= 500;
}

function addRetry({ failure, retries, waits, requestIds, ignored }: FailedRequest, event: RequestEvent): Tries {
  const { asked } = failure;
  const wait = sentAt(event) - failure.at;
  // Waiting long enough on either clock is fine: the client does not know the account's clock and cannot outwait a faster one.
  const isIgnored = asked !== undefined && event.at < asked.until && wait < asked.wait;
  return {
    retries: retries + 1,
    waits: [...waits, wait].slice(-JUDGED_RETRIES),
    requestIds: [...requestIds, event.requestId].slice(-JUDGED_RETRIES - 1),
    ignored: isIgnored ? ignored + 1 : 0,
  };
}

function judge(tries: Tries, failure: Failure): readonly Observation[] {
  const problem = describeProblem(tries, failure);
  if (problem === undefined) return NO_OBSERVATIONS;
  const seen = `A retry came ${describeDuration(tries.waits.at(-1) ?? 0)} ${failure.cause}${problem}.`;
  return [{ id: "no-back-off", subject: failure.cause, seen, exchanges: requestExchanges(tries.requestIds) }];
}

/**
 * The shortest acceptable time for three retries. Full jitter on a base of 100 ms is faster once in fifty times, longer bases almost never.
 */
const AT_ONCE: Millis = 100;

/** Constant waits do no harm if they are this long. */
const HARMLESS: Millis = 10 * SECOND;

/** Waits within this ratio do not grow. Doubled waits differ by a factor of four within three retries. */
const EVEN = 1.25;

function describeProblem({ waits, ignored, retries }: Tries, { asked }: Failure): string | undefined {
  // The header has whole seconds, at least one.
  const seconds = Math.max(1, Math.ceil((asked?.wait ?? 0) / SECOND));
  if (ignored >= 2) return ` whose Retry-After asked for ${seconds} s, and ${ignored} in a row did so`;
  if (waits.length < JUDGED_RETRIES) return undefined;
  const together = waits.reduce((sum, each) => sum + each, 0);
  const which = `, as retry ${retries}; the last three waited`;
  if (together < AT_ONCE) return `${which} ${describeDuration(together)} together`;
  const [least, most] = [Math.min(...waits), Math.max(...waits)];
  if (most > least * EVEN || most >= HARMLESS) return undefined;
  return `${which} evenly, ${describeDuration(least)} to ${describeDuration(most)}`;
}

/** Counts the requests since the first one of a period. */
class BurstWindow {
  readonly #limit: NonNullable<WatchSettings["burst"]>;
  #first: { readonly requestId: string; readonly at: Instant } | undefined;
  #count = 0;

  constructor(limit: NonNullable<WatchSettings["burst"]>) {
    this.#limit = limit;
  }

  see(event: RequestEvent): Observation | undefined {
    const { requests, per } = this.#limit;
    const at = sentAt(event);
    if (this.#first === undefined || at >= this.#first.at + per || at < this.#first.at) {
      this.#first = { requestId: event.requestId, at };
      this.#count = 0;
    }
    this.#count += 1;
    if (this.#count !== requests + 1) return undefined;
    const period = describeDuration(per);
    return {
      id: "requests-burst",
      subject: `${requests} in ${period}`,
      seen: `More than ${requests} requests came within ${period}: the next one ${describeDuration(at - this.#first.at)} after the first.`,
      exchanges: requestExchanges([this.#first.requestId, event.requestId]),
    };
  }
}
