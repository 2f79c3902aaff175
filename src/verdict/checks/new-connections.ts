import { isRequestEvent } from "../../gateway/account/event-guards.ts";
import type { RequestEvent } from "../../gateway/account/events.ts";
import { type Instant, type Millis, SECOND } from "../../gateway/domain/time.ts";
import { type Detector, NOTHING, type Observation } from "./check.ts";
import { requestExchanges } from "./finding.ts";
import { sentAt } from "./sent-at.ts";

/** Reports requests that each opened a new connection. */
export const newConnections: Detector = {
  id: "new-connections",
  severity: "hint",
  title: "Each request opened a new connection",
  why: "A live gateway uses HTTPS: a new connection costs two or three round trips before the request goes out, a few hundred milliseconds from a server abroad, and under load one port each.",
  repair:
    "Create one HTTP client when the application starts and use it for all requests, with keep-alive on. In PHP keep one curl handle per worker.",
  assumes:
    "A request that came 5 ms to 4 s after the answer to another could have reused its connection, which the sandbox keeps open for 65 s. Twenty such requests in a row on new connections, or a thousand of any kind, are more than a pool that is filling up.",
  kinds: ["accepted", "queried", "cut", "refused"],
  watch: () => {
    const connections = new Connections();
    return (event) => (isRequestEvent(event) ? connections.see(event) : NOTHING);
  },
};

/** The previous connection is free again after the first time, and may have been closed as idle after the second. */
const FREE_AFTER: Millis = 5;
const IDLE_AFTER: Millis = 4 * SECOND;

/** New connections in a row although an existing one could have been reused. */
const WASTED = 20;

/** No connection pool is this large. */
const ANY_POOL = 1_000;

/** Counts requests that are the first on their connection. */
class Connections {
  #opened = 0;
  #wasted = 0;
  #freeFrom: Instant = Infinity;
  #latestIds: readonly string[] = [];

  see(event: RequestEvent): readonly Observation[] {
    const at = sentAt(event);
    const couldReuse = at >= this.#freeFrom && at <= this.#freeFrom + IDLE_AFTER;
    this.#freeFrom = staysOpen(event) ? at + FREE_AFTER : Infinity;
    if (event.traits?.isFirstOnConnection !== true) return this.#reset();
    this.#opened += 1;
    if (!couldReuse && this.#opened !== ANY_POOL) return NOTHING;
    if (couldReuse) this.#wasted += 1;
    this.#latestIds = [...this.#latestIds, event.requestId].slice(-5);
    if (this.#opened !== ANY_POOL && this.#wasted !== WASTED) return NOTHING;
    const seen = `${this.#opened} requests in a row each came over a new connection.`;
    return [{ subject: "connections", seen, exchanges: requestExchanges(this.#latestIds) }];
  }

  #reset(): readonly Observation[] {
    this.#opened = 0;
    this.#wasted = 0;
    return NOTHING;
  }
}

/** After a delayed answer, a broken connection or an oversized body, there is no connection to reuse. */
function staysOpen(event: RequestEvent): boolean {
  const { ack, breakage } = event.rules ?? {};
  const isSlow = (ack?.delay ?? 0) > 0 || (event.kind === "accepted" && event.plan.callback?.before_ack === true);
  return !isSlow && breakage === undefined && !(event.kind === "refused" && event.code === 413);
}
