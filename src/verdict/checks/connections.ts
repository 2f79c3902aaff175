import { isRequestEvent } from "../../gateway/account/event-guards.ts";
import type { RequestEvent } from "../../gateway/account/events.ts";
import { type Instant, type Millis, SECOND } from "../../gateway/domain/time.ts";
import { NOTHING, type Observation, type Watcher } from "./check.ts";
import { describeDuration } from "./describe.ts";
import { type Check, requestExchanges } from "./finding.ts";
import { sentAt } from "./sent-at.ts";
import { ORDER_CHECKS } from "../orders/order-checks.ts";

const CHECKS = [
  {
    id: "waits-forever",
    severity: "defect",
    title: "The client waits for an answer without a timeout",
    why: "An answer can get lost on the way. A client without a timeout keeps the customer waiting, and soon blocks every worker and connection of the backend. Its orders stay unfinished although the gateway delivered them.",
    repair: ORDER_CHECKS["waits-forever"].repair,
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
      "A request that came 5 ms to 4 s after the answer to another could have reused its connection, which the sandbox keeps open for 65 s. Twenty such requests in a row on new connections are more than a pool that is filling up.",
  },
] as const satisfies readonly Check[];

/** Reports how the client uses its connections: without a timeout, or without keep-alive. */
export const connections: Watcher = {
  checks: CHECKS,
  kinds: ["accepted", "queried", "cut", "refused", "client-waits"],
  watch: () => {
    const opened = new OpenedConnections();
    return (event) => {
      if (isRequestEvent(event)) return opened.see(event);
      if (event.kind !== "client-waits") return NOTHING;
      const seen = `${describeDuration(event.waited)} after its request, the client is still waiting for an answer that never comes.`;
      return [{ id: "waits-forever", subject: "", seen, exchanges: requestExchanges([event.requestId]) }];
    };
  },
};

/** The previous connection is free again after the first time, and may have been closed as idle after the second. */
const FREE_AFTER: Millis = 5;
const IDLE_AFTER: Millis = 4 * SECOND;

/** New connections in a row although an existing one could have been reused. */
const WASTED = 20;

/** Counts requests that are the first on their connection. */
class OpenedConnections {
  #freeFrom: Instant = Infinity;
  /** The requests in a row that could have used the connection of the one before, up to one more than are reported. */
  #wasted: readonly string[] = [];

  see(event: RequestEvent): readonly Observation[] {
    const at = sentAt(event);
    const couldReuse = at >= this.#freeFrom && at <= this.#freeFrom + IDLE_AFTER;
    this.#freeFrom = staysOpen(event) ? at + FREE_AFTER : Infinity;
    if (event.traits?.isFirstOnConnection !== true) this.#wasted = [];
    else if (couldReuse && this.#wasted.length <= WASTED) {
      this.#wasted = [...this.#wasted, event.requestId];
      if (this.#wasted.length === WASTED) {
        const seen = `${WASTED} requests in a row each came over a new connection, although the one before was free.`;
        const exchanges = requestExchanges(this.#wasted.slice(-5));
        return [{ id: "new-connections", subject: "connections", seen, exchanges }];
      }
    }
    return NOTHING;
  }
}

/** After a delayed answer, a broken connection or an oversized body, there is no connection to reuse. */
function staysOpen(event: RequestEvent): boolean {
  const { ack, breakage } = event.rules ?? {};
  const isSlow = (ack?.delay ?? 0) > 0 || (event.kind === "accepted" && event.plan.callback?.before_ack === true);
  return !isSlow && breakage === undefined && !(event.kind === "refused" && event.code === 413);
}
