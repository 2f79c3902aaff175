import type { Attempted, RequestEvent } from "../../gateway/account/events.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { isDetailsRequest, isRequestEvent } from "../../gateway/account/event-guards.ts";
import { addKes, type Kes, NO_MONEY } from "../../gateway/domain/kes.ts";
import { isReceived, readOrder } from "../../gateway/account/readings/order.ts";
import { rowOf } from "../../gateway/account/readings/requests.ts";
import {
  begin,
  isUnresolved,
  recordAttempt,
  reverse,
  settle,
  type Transaction,
} from "../../gateway/account/transaction.ts";

/** What the gateway did for one order, and what the application could know about it. */
export interface OrderTruth {
  /** The gateway requests for it, in order. */
  readonly requests: readonly RequestEvent[];
  readonly accepted: number;
  readonly delivered: number;
  /** The airtime that arrived, as it was delivered. */
  readonly received: Kes;
  /** How many were delivered and then taken back with their charge, which nobody paid in the end. */
  readonly reversed: number;
  /** What the gateway charged for it. */
  readonly charged: Kes;
  /** What the gateway gave back of what it had charged. */
  readonly refunded: Kes;
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

/** Reads what happened to the order with this phone number: one reading for each of its requests, added up. */
export function readOrderTruth(events: readonly AccountEvent[], phoneNumber: string): OrderTruth {
  const requests = events
    .filter(isRequestEvent)
    .filter((event) => "order" in event && event.order?.phoneNumber === phoneNumber);
  const transactions = aftermathsOf(requests, events);
  const readings = requests.map((event) => readOrder(rowOf(0, event), transactions.get(event.requestId)));
  const accepted = requests.filter((event) => event.kind === "accepted");
  const ids = new Set(accepted.map(({ requestId }) => requestId));
  const sold = readings.filter(({ sold: isSold, delivered }) => isSold && delivered !== undefined);
  const waiting = new Set(events.flatMap((event) => (event.kind === "client-waits" ? [event.requestId] : [])));
  return {
    requests,
    accepted: accepted.length,
    delivered: sold.length,
    received: sold.reduce(
      (sum, { delivered: got }) => (got && "amount" in got ? addKes(sum, got.amount) : sum),
      NO_MONEY,
    ),
    reversed: readings.filter(({ refunded }) => refunded !== undefined).length,
    refunded: readings.reduce((sum, { refunded = NO_MONEY }) => addKes(sum, refunded), NO_MONEY),
    charged: sold.reduce((sum, { charged }) => addKes(sum, charged), NO_MONEY),
    neverSettles: sold.length === 0 && accepted.some(({ plan }) => plan.settleAfter === "never"),
    isTold: readings.length > 0 && readings.every(({ isTold }) => isTold),
    callbacks: events.flatMap((event) =>
      event.kind === "attempted" && ids.has(event.requestId) && isReceived(event) ? [event] : [],
    ),
    waitsForever: events
      .filter(isRequestEvent)
      .some((event) => waiting.has(event.requestId) && (requests.includes(event) || isDetailsRequest(event))),
  };
}

/** Returns what came after each of the requests. A client can leave before a refusal, too. */
function aftermathsOf(
  requests: readonly RequestEvent[],
  events: readonly AccountEvent[],
): ReadonlyMap<string, Partial<Transaction>> {
  const found = new Map(
    requests.map((event): [string, Partial<Transaction>] => [
      event.requestId,
      event.kind === "accepted" ? begin(event) : {},
    ]),
  );
  for (const event of events) {
    const after = "requestId" in event ? found.get(event.requestId) : undefined;
    if (after === undefined) continue;
    if (event.kind === "client-left") after.left = event;
    if (after.progress !== undefined) after.progress = progressAfter(after.progress, event);
  }
  return found;
}

function progressAfter(progress: Transaction["progress"], event: AccountEvent): Transaction["progress"] {
  if (event.kind === "settled") return settle(event, 0);
  if (isUnresolved(progress)) return progress;
  if (event.kind === "reversed") return reverse(progress, event);
  return event.kind === "attempted" ? recordAttempt(progress, event) : progress;
}
