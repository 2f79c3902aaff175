import { isDetailsRequest, isRequestEvent } from "../../gateway/account/event-guards.ts";
import type { RequestEvent } from "../../gateway/account/events.ts";
import { type Instant, type Millis, MINUTE, SECOND } from "../../gateway/domain/time.ts";
import { NO_OBSERVATIONS, type Observation, type Watcher } from "./check.ts";
import { describeDuration } from "./describe.ts";
import { type Check, requestExchanges } from "./finding.ts";
import { responseTime, answerOf, isAnsweredAfterCallbacks, sentAt } from "../../gateway/account/readings/answer.ts";

/** The repair of a client without a timeout. */
export const SET_A_TIMEOUT =
  "Set a timeout for calls to the gateway, 10 to 30 seconds (Node: signal: AbortSignal.timeout(10_000); PHP: CURLOPT_TIMEOUT; Python requests: timeout=10; Java: HttpRequest.timeout), and treat a timeout as an unknown outcome.";

const CHECKS = [
  {
    id: "waits-forever",
    severity: "defect",
    title: "The client waits for an answer without a timeout",
    why: "An answer can get lost on the way. A client without a timeout keeps the customer waiting, and soon blocks every worker and connection of the backend. Its orders stay unfinished although the gateway delivered them.",
    repair: SET_A_TIMEOUT,
    assumes:
      "Common timeouts of HTTP clients are at most 30 s. A longer one counts as none, because no customer waits that long.",
  },
  {
    id: "new-connections",
    severity: "hint",
    title: "Each request opened a new connection",
    why: "A live gateway uses HTTPS: a new connection costs two or three round trips before the request goes out, a few hundred milliseconds from a server abroad, and under load one port each.",
    repair:
      "Create one HTTP client when the application starts and use it for all requests, with keep-alive on (Node: one Agent with keepAlive: true; PHP: one curl handle per worker; Python: one requests.Session; Java: one HttpClient).",
    assumes:
      "A request that came 5 ms to 4 s after the answer to another could have reused its connection, which the sandbox keeps open for 65 s. Twenty such requests in a row on new connections, or a thousand of any kind, are more than a pool that is filling up.",
  },
  {
    id: "details-polled",
    severity: "hint",
    title: "account-details was polled faster than once a minute",
    why: "Each callback contains the balance after it, so a poll in between tells you nothing new and uses up the rate limit that orders need.",
    repair:
      "Store account_balance from the callbacks, and request account-details at most once a minute. Once an hour with a warning threshold is usually enough.",
    assumes:
      "A timer polls at least six times at even intervals of 0.1 s to a minute (within a tenth), or polls for ten minutes without a pause of a minute. A person, or a test that asks now and then, does neither.",
  },
] as const satisfies readonly Check[];

/** Reports how the client uses its connections: without a timeout, without keep-alive, or for polling. */
export const connections: Watcher = {
  checks: CHECKS,
  kinds: ["accepted", "queried", "cut", "refused", "client-waits"],
  watch: () => {
    const opened = new OpenedConnections();
    const polling = new Polling();
    return (event) => {
      if (event.kind === "client-waits") {
        const seen = `${describeDuration(event.waited)} after its request, the client is still waiting for an answer that never comes.`;
        return [{ id: "waits-forever", subject: "", seen, exchanges: requestExchanges([event.requestId]) }];
      }
      if (!isRequestEvent(event)) return NO_OBSERVATIONS;
      const seen = opened.see(event);
      return isPoll(event) ? [...seen, ...polling.see(event)] : seen;
    };
  },
};

/** The previous connection is free again after the first time, and may have been closed as idle after the second. */
const FREE_AFTER: Millis = 5;
const IDLE_AFTER: Millis = 4 * SECOND;

/** New connections in a row although an existing one could have been reused. */
const WASTED = 20;

/** No connection pool is this large. */
const ANY_POOL = 1_000;

class OpenedConnections {
  #opened = 0;
  #wasted = 0;
  #freeFrom: Instant = Infinity;
  #latestIds: readonly string[] = [];

  see(event: RequestEvent): readonly Observation[] {
    const at = sentAt(event);
    const couldReuse = at >= this.#freeFrom && at <= this.#freeFrom + IDLE_AFTER;
    this.#freeFrom = staysOpen(event) ? at + FREE_AFTER : Infinity;
    if (event.traits?.isFirstOnConnection !== true) {
      this.#opened = 0;
      this.#wasted = 0;
      return NO_OBSERVATIONS;
    }
    this.#opened += 1;
    if (!couldReuse && this.#opened !== ANY_POOL) return NO_OBSERVATIONS;
    if (couldReuse) this.#wasted += 1;
    this.#latestIds = [...this.#latestIds, event.requestId].slice(-5);
    if (this.#opened !== ANY_POOL && this.#wasted !== WASTED) return NO_OBSERVATIONS;
    const seen = `${this.#opened} requests in a row each came over a new connection.`;
    return [{ id: "new-connections", subject: "connections", seen, exchanges: requestExchanges(this.#latestIds) }];
  }
}

/** After a delayed answer, a broken connection or an oversized body, there is no connection to reuse. */
function staysOpen(event: RequestEvent): boolean {
  const answer = answerOf(event);
  const isClosed = answer.says === "none" || (answer.says === "refused" && answer.code === 413);
  return !isClosed && responseTime(event) === 0 && !isAnsweredAfterCallbacks(event);
}

function isPoll(event: RequestEvent): boolean {
  if (!isDetailsRequest(event)) return false;
  const answer = answerOf(event);
  return answer.says !== "refused" || answer.code !== 401;
}

/** Fewer requests do not prove a timer. */
const POLLS = 6;

/** Faster requests come from a loop that measures, not from a timer. */
const FASTEST: Millis = MINUTE / 600;
const SLOWEST: Millis = MINUTE;

/** The largest ratio between the intervals of one timer. */
const EVEN = 1.1;

const SUSTAINED: Millis = 10 * MINUTE;

class Polling {
  #firstAt: Instant = 0;
  #last: readonly { readonly requestId: string; readonly at: Instant }[] = [];
  #polls = 0;

  see(event: RequestEvent): readonly Observation[] {
    const at = sentAt(event);
    const before = this.#last.at(-1);
    if (before === undefined || at - before.at >= SLOWEST || at < before.at) {
      this.#firstAt = at;
      this.#last = [];
      this.#polls = 0;
    }
    this.#last = [...this.#last, { requestId: event.requestId, at }].slice(-POLLS);
    this.#polls += 1;
    const lasted = at - this.#firstAt;
    if (lasted < SUSTAINED && !this.#isEven()) return NO_OBSERVATIONS;
    const seen = `${this.#polls} polls came within ${describeDuration(lasted)}, one every ${describeDuration(lasted / (this.#polls - 1))}.`;
    const exchanges = requestExchanges(this.#last.map(({ requestId }) => requestId));
    return [{ id: "details-polled", subject: "account-details", seen, exchanges }];
  }

  #isEven(): boolean {
    if (this.#last.length < POLLS) return false;
    const waits = this.#last.slice(1).map(({ at }, index) => at - (this.#last[index]?.at ?? at));
    const [least, most] = [Math.min(...waits), Math.max(...waits)];
    return least >= FASTEST && most <= least * EVEN;
  }
}
