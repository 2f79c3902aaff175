import { type Instant, type Millis, SECOND } from "../../gateway/domain/time.ts";
import { describeDuration } from "./describe.ts";
import { type Detector, NOTHING, type Observation } from "./check.ts";
import { requestExchanges } from "./finding.ts";
import { RecentMap } from "./recent-map.ts";
import { type Retry, RetryTracker } from "./retry-tracker.ts";

/** Reports retries that leave the gateway no time to recover. */
export const noBackOff: Detector = {
  id: "no-back-off",
  severity: "risk",
  title: "Retries came without back-off",
  why: "A gateway that answers 429 or 5xx, or cuts connections, is overloaded. Retries that come at once, or all at the same time, keep it down and use up your attempts before it recovers.",
  repair:
    "Wait at least as long as Retry-After says. Otherwise start with a second, double the wait with each retry, add random jitter, and give up after a few attempts. Never retry an order whose outcome is unknown.",
  assumes:
    "An equal request within 10 minutes of a failure is a retry of it, though equal requests of different customers, or of a load test, look the same. At least three retries count, in wall time. Evenly spaced retries 10 s or more apart are not reported.",
  kinds: ["accepted", "queried", "cut", "refused", "client-left"],
  watch: () => {
    const tracker = new RetryTracker();
    const intervals = new RetryIntervals();
    const bursts = new SynchronizedRetries();
    return (event) => {
      const retry = tracker.see(event);
      if (retry === undefined) return NOTHING;
      return [...intervals.see(retry), ...bursts.see(retry)];
    };
  },
};

/** One quick retry is sensible, and two may be a coincidence. */
const JUDGED_RETRIES = 3;

/**
 * The shortest acceptable time for three retries. Full jitter on a base of 100 ms is faster once in fifty times, longer bases almost never.
 */
const AT_ONCE: Millis = 100;

/** Constant waits do no harm if they are this long. */
const HARMLESS: Millis = 10 * SECOND;

/** Waits within this ratio do not grow. Doubled waits differ by a factor of four within three retries. */
const EVEN = 1.25;

/** The last waits between the attempts of one request. */
interface Intervals {
  readonly waits: readonly Millis[];
  readonly requestIds: readonly string[];
  /** How often in a row Retry-After was ignored. */
  readonly ignored: number;
}

/** Tracks the retries of each request and reports those without back-off. */
class RetryIntervals {
  readonly #byContent = new RecentMap<number, Intervals>();

  see(retry: Retry): Observation[] {
    const { event, failure } = retry;
    const before = retry.nth === 1 ? undefined : this.#byContent.get(event.content);
    const { waits, requestIds, ignored } = before ?? { waits: [], requestIds: [failure.requestId], ignored: 0 };
    const intervals: Intervals = {
      waits: [...waits, retry.wait].slice(-JUDGED_RETRIES),
      requestIds: [...requestIds, event.requestId].slice(-JUDGED_RETRIES - 1),
      ignored: ignoresRetryAfter(retry) ? ignored + 1 : 0,
    };
    this.#byContent.set(event.content, intervals);
    const problem = describeProblem(intervals, retry);
    if (problem === undefined) return [];
    return [{ subject: failure.cause, seen: `A retry ${problem}.`, exchanges: requestExchanges(intervals.requestIds) }];
  }
}

/** Waiting long enough on either clock is fine: the client does not know the account's clock and cannot outwait a faster one. */
function ignoresRetryAfter({ event, failure: { asked }, wait }: Retry): boolean {
  return asked !== undefined && event.at < asked.until && wait < asked.wait;
}

function describeProblem({ waits, ignored }: Intervals, { failure, wait, nth }: Retry): string | undefined {
  if (ignored >= 2)
    return `came ${describeDuration(wait)} ${failure.cause} whose Retry-After asked for ${headerSeconds(failure.asked?.wait ?? 0)} s, and ${ignored} in a row did so`;
  if (waits.length < JUDGED_RETRIES) return undefined;
  const together = waits.reduce((sum, each) => sum + each, 0);
  if (together < AT_ONCE)
    return `came ${describeDuration(wait)} ${failure.cause}, as retry ${nth}; the last three waited ${describeDuration(together)} together`;
  const [least, most] = [Math.min(...waits), Math.max(...waits)];
  if (most > least * EVEN || most >= HARMLESS) return undefined;
  return `came ${describeDuration(wait)} ${failure.cause}, as retry ${nth}; the last three waited evenly, ${describeDuration(least)} to ${describeDuration(most)}`;
}

/** Returns the header's value: whole seconds, at least one. */
function headerSeconds(wait: Millis): number {
  return Math.max(1, Math.ceil(wait / SECOND));
}

/** Fewer simultaneous retries may be a coincidence. */
const SYNCHRONIZED = 20;

/** The time within which all of them come. */
const TOGETHER: Millis = 5 * SECOND;

/** Shorter waits leave no room for useful jitter. */
const WORTH_JITTER: Millis = SECOND / 2;

/** Libraries add at least a tenth of jitter; timers and the network alone add less. */
const SAME_WAIT = 1.05;

/** Tracks the first retry of each request. Those of many requests should be spread out. */
class SynchronizedRetries {
  #latest: readonly FirstRetry[] = [];

  see({ event, wait, nth, failure }: Retry): Observation[] {
    if (nth !== 1 || wait < WORTH_JITTER) return [];
    this.#latest = [...this.#latest, { requestId: event.requestId, at: failure.at + wait, wait }].slice(-SYNCHRONIZED);
    const observation = observeTogether(this.#latest);
    if (observation === undefined) return [];
    this.#latest = [];
    return [observation];
  }
}

interface FirstRetry {
  readonly requestId: string;
  readonly at: Instant;
  readonly wait: Millis;
}

function observeTogether(retries: readonly FirstRetry[]): Observation | undefined {
  const [first] = retries;
  const last = retries.at(-1);
  if (first === undefined || last === undefined || retries.length < SYNCHRONIZED) return undefined;
  const waits = retries.map(({ wait }) => wait);
  const [least, most] = [Math.min(...waits), Math.max(...waits)];
  const within = last.at - first.at;
  if (within > TOGETHER || most > least * SAME_WAIT) return undefined;
  return {
    subject: "many requests in step",
    seen: `${retries.length} different requests were sent again within ${describeDuration(within)}, all of them ${describeDuration(least)} to ${describeDuration(most)} after their failure.`,
    exchanges: requestExchanges(retries.map(({ requestId }) => requestId)),
  };
}
