import { isRequestEvent, type RequestEvent } from "../../account/events.ts";
import { type Instant, type Millis, SECOND } from "../../domain/time.ts";
import { type Detector, NOTHING, type Sighting } from "../detector.ts";
import { requestExchanges } from "../request-exchanges.ts";
import { sentAt } from "../sent-at.ts";

/** Each request paid for a connection of its own. */
export const newConnections: Detector = {
  id: "new-connections",
  severity: "hint",
  title: "Each request opened a connection of its own",
  why: "A live gateway speaks HTTPS: a new connection costs two or three round trips before the request goes out, a few hundred milliseconds from a server abroad, and a port for each under load.",
  mend: "Create one HTTP client when the application starts and use it for all requests, with keep-alive on; in PHP keep one curl handle for each worker.",
  assumes:
    "A request that came 5 ms to 4 s after the answer to another could have used its connection, which the sandbox keeps open for 65 s. Twenty such in a row that opened a new one, or a thousand of any kind, are no pool that is filling up.",
  kinds: ["accepted", "queried", "cut", "refused"],
  watch: () => {
    const connections = new Connections();
    return (event) => (isRequestEvent(event) ? connections.see(event) : NOTHING);
  },
};

/** The connection of the request before is free again after the one, and may be closed for idleness after the other. */
const FREE_AFTER: Millis = 5;
const IDLE_AFTER: Millis = 4 * SECOND;

/** Connections that could have been used again, one after another. */
const WASTED = 20;

/** No pool grows so large. */
const ANY_POOL = 1_000;

/** Follows requests that are the first on their connection. */
class Connections {
  #opened = 0;
  #wasted = 0;
  #freeFrom: Instant = Infinity;
  #sawLast: readonly string[] = [];

  see(event: RequestEvent): readonly Sighting[] {
    const at = sentAt(event);
    const couldReuse = at >= this.#freeFrom && at <= this.#freeFrom + IDLE_AFTER;
    this.#freeFrom = staysOpen(event) ? at + FREE_AFTER : Infinity;
    if (event.manner?.isFirstOnConnection !== true) return this.#begin();
    this.#opened += 1;
    if (!couldReuse && this.#opened !== ANY_POOL) return NOTHING;
    if (couldReuse) this.#wasted += 1;
    this.#sawLast = [...this.#sawLast, event.requestId].slice(-5);
    if (this.#opened !== ANY_POOL && this.#wasted !== WASTED) return NOTHING;
    const seen = `${this.#opened} requests in a row each came over a new connection.`;
    return [{ subject: "connections", seen, exchanges: requestExchanges(this.#sawLast) }];
  }

  #begin(): readonly Sighting[] {
    this.#opened = 0;
    this.#wasted = 0;
    return NOTHING;
  }
}

/** A scenario that delays the answer or breaks the connection leaves nothing to use again; nor does a body that is too large. */
function staysOpen(event: RequestEvent): boolean {
  const { ack, breakage } = event.directed ?? {};
  const isSlow = (ack?.delay ?? 0) > 0 || (event.kind === "accepted" && event.plan.callback?.beforeAck === true);
  return !isSlow && breakage === undefined && !(event.kind === "refused" && event.code === 413);
}
