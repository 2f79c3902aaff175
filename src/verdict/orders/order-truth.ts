import type { Attempted, RequestEvent } from "../../gateway/account/events.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { isDetailsRequest, isRequestEvent } from "../../gateway/account/event-guards.ts";
import { addKes, type Kes, NO_MONEY } from "../../gateway/domain/kes.ts";
import { isReceived, isTold } from "../../gateway/account/readings/known.ts";

/** What the gateway did for one order, and what the application could know about it. */
export interface OrderTruth {
  /** The gateway requests for it, in order. */
  readonly requests: readonly RequestEvent[];
  readonly accepted: number;
  readonly delivered: number;
  /** What the gateway charged for it. */
  readonly charged: Kes;
  /** Whether it was accepted but its result will never arrive. */
  readonly neverSettles: boolean;
  /** Whether the application was told what became of each of its requests. */
  readonly isTold: boolean;
  /** The callbacks that reached the application. */
  readonly callbacks: readonly Attempted[];
  /**
   * Whether its client waited for a response longer than any client should. Also set if a request for account details did, because those
   * name no order.
   */
  readonly waitsForever: boolean;
}

/** Reads what happened to the order with this phone number. */
export function readOrderTruth(events: readonly AccountEvent[], phoneNumber: string): OrderTruth {
  const requests = events
    .filter(isRequestEvent)
    .filter((event) => "order" in event && event.order?.phoneNumber === phoneNumber);
  const accepted = requests.filter((event) => event.kind === "accepted");
  const ids = new Set(accepted.map(({ requestId }) => requestId));
  const succeeded = events.flatMap((event) =>
    event.kind === "settled" && ids.has(event.requestId) && event.outcome === "succeeded" ? [event] : [],
  );
  const callbacks = events.flatMap((event) =>
    event.kind === "attempted" && ids.has(event.requestId) && isReceived(event) ? [event] : [],
  );
  const left = idsOf(events, "client-left");
  const waiting = idsOf(events, "client-waits");
  return {
    requests,
    accepted: accepted.length,
    delivered: succeeded.length,
    charged: succeeded.reduce((sum, { charge }) => addKes(sum, charge), NO_MONEY),
    neverSettles: succeeded.length === 0 && accepted.some(({ plan }) => plan.settleAfter === "never"),
    isTold: requests.length > 0 && requests.every((event) => isTold(event, left.has(event.requestId), callbacks)),
    callbacks,
    waitsForever: events
      .filter(isRequestEvent)
      .some((event) => waiting.has(event.requestId) && (requests.includes(event) || isDetailsRequest(event))),
  };
}

function idsOf(events: readonly AccountEvent[], kind: "client-left" | "client-waits"): ReadonlySet<string> {
  return new Set(events.flatMap((event) => (event.kind === kind ? [event.requestId] : [])));
}
