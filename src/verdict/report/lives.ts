import { isBeginning, isRequestEvent } from "../../gateway/account/event-guards.ts";
import type { RequestEvent } from "../../gateway/account/events.ts";
import { Aftermaths } from "../../gateway/account/readings/aftermaths.ts";
import type { JournalSlice } from "../../gateway/account/readings/journal-slice.ts";
import { readMilestones } from "../../gateway/account/readings/milestones.ts";
import { RepeatableOrders } from "../../gateway/account/readings/sale.ts";
import { lifeOf, type Verdict } from "../verdict.ts";

/** Tells the lives of the orders in a journal. Requests that repeat one another are one order. */
export class Lives {
  readonly #aftermaths = new Aftermaths();
  /** The requests of the order that each request is of. */
  readonly #orders = new Map<string, RequestEvent[]>();

  constructor({ events }: JournalSlice) {
    const current = events.slice(Math.max(events.findLastIndex(isBeginning), 0));
    for (const event of current) this.#aftermaths.take(event);
    const repeatable = new RepeatableOrders(({ requestId }) => this.#aftermaths.of(requestId).left);
    for (const event of current) {
      if (event.kind === "snapshot")
        for (const { accepted } of event.state.transactions) this.#orders.set(accepted.requestId, [accepted]);
      if (!isRequestEvent(event) || !("order" in event)) continue;
      const repeated = repeatable.repeatedBy(event);
      const order = (repeated && this.#orders.get(repeated.requestId)) ?? [];
      order.push(event);
      this.#orders.set(event.requestId, order);
      repeatable.add(event);
    }
  }

  /** Tells the life of the first order that exchanges are of; undefined if the journal has none of them. */
  of(exchanges: Verdict["exchanges"]): Verdict["life"] {
    const orders = [...new Set(exchanges.flatMap(({ request_id: id }) => [this.#orders.get(id) ?? []]))].filter(
      ({ length }) => length > 0,
    );
    const [first] = orders;
    return (
      first &&
      lifeOf(
        readMilestones(first, (id) => this.#aftermaths.of(id)),
        orders.length - 1,
      )
    );
  }
}
