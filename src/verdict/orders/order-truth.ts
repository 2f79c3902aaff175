import type { Attempted, RequestEvent } from "../../gateway/account/events.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { isDetailsRequest, isRequestEvent } from "../../gateway/account/event-guards.ts";
import { addKes, type Kes, NO_MONEY } from "../../gateway/domain/kes.ts";
import { type Operation, type Order, orderFields, forEachProduct } from "../../gateway/domain/order.ts";
import { type Instant, type Millis, SECOND } from "../../gateway/domain/time.ts";
import { sentAt } from "../../gateway/account/readings/answer.ts";
import type { ApplicationOrder } from "../application/application.ts";
import { isReceived } from "../../gateway/account/readings/callback.ts";
import { type DeliveredOrder, readRequest } from "../../gateway/account/readings/request.ts";
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
  /** What arrived, as it was delivered. */
  readonly received: readonly DeliveredOrder[];
  /** How many were delivered and then taken back with their charge, which nobody paid in the end. */
  readonly reversed: number;
  readonly charged: Kes;
  /** What the gateway gave back of what it had charged. */
  readonly refunded: Kes;
  /** Whether it was accepted but its result will never arrive. */
  readonly neverSettles: boolean;
  /** Whether the application was told what became of each of its requests. */
  readonly isTold: boolean;
  readonly callbacks: readonly Attempted[];
  /**
   * Whether its client waited for a response longer than any client should. Also set if a request for account details did, because those
   * name no order.
   */
  readonly waitsForever: boolean;
}

type Ordered = Pick<ApplicationOrder, "operation" | "phoneNumber" | "amount" | "message">;

/**
 * Returns the gateway requests for each order: those that name its number. An order that has none gets those to a number that nobody ordered
 * for, if they order the same, and those that name no number because they were refused unread.
 */
export function requestsByOrder(
  events: readonly AccountEvent[],
  orders: readonly Ordered[],
  /** The numbers of earlier orders, which the application may still try. */
  earlier: ReadonlySet<string> = new Set(),
): ReadonlyMap<string, RequestEvent[]> {
  const requests = events.filter(isRequestEvent);
  const named = new Map(
    orders.map(({ phoneNumber, operation }) => [
      phoneNumber,
      requests.filter((event) => operationOf(event) === operation && orderOf(event)?.phoneNumber === phoneNumber),
    ]),
  );
  const lacking = orders.filter(({ phoneNumber }) => named.get(phoneNumber)?.length === 0);
  const strays = lacking.length === 0 ? [] : requests.filter((event) => isStray(orderOf(event)?.phoneNumber));
  const unread = forEachProduct(() => 0);
  for (const event of strays) {
    const [order, operation] = [orderOf(event), operationOf(event)];
    if (operation === undefined) continue;
    const possible = lacking.filter((one) => one.operation === operation);
    const whose = order
      ? possible.find((one) => isAlike(one, order))
      : (possible[unread[operation]++] ?? possible.at(-1));
    if (whose !== undefined) named.get(whose.phoneNumber)?.push(event);
  }
  return named;

  function isStray(phoneNumber = ""): boolean {
    return !named.has(phoneNumber) && !earlier.has(phoneNumber);
  }
}

/** Returns whether the gateway refused a request without an order in it, because it could not read one or did not look. */
export function isUnread(event: RequestEvent): boolean {
  return !isDetailsRequest(event) && orderOf(event) === undefined;
}

function orderOf(event: RequestEvent): Order | undefined {
  return "order" in event ? event.order : undefined;
}

function operationOf(event: RequestEvent): Operation | undefined {
  if (event.kind !== "refused") return orderOf(event)?.operation;
  return event.operation === "account-details" ? undefined : event.operation;
}

function isAlike(ordered: Ordered, order: Order): boolean {
  const { amount, message } = orderFields(order);
  return message === undefined ? amount === ordered.amount : message === ordered.message;
}

/** Reads what happened to an order by its gateway requests: one reading for each of them, added up. */
export function readOrderTruth(events: readonly AccountEvent[], requests: readonly RequestEvent[] = []): OrderTruth {
  const transactions = aftermathsOf(requests, events);
  const readings = requests.map((event) => readRequest(event, transactions.get(event.requestId)));
  const accepted = requests.filter((event) => event.kind === "accepted");
  const ids = new Set(accepted.map(({ requestId }) => requestId));
  const sold = readings.filter(({ isSold, delivered }) => isSold && delivered !== undefined);
  const waiting = new Set(events.flatMap((event) => (event.kind === "client-waits" ? [event.requestId] : [])));
  return {
    requests,
    accepted: accepted.length,
    delivered: sold.length,
    received: sold.flatMap(({ delivered }) => delivered ?? []),
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

/** Longer than most jobs wait before they try a refused order again. */
const QUIET_MILLIS: Millis = 10 * SECOND;

/**
 * Returns whether an application may still be about to try an order again: it has not been quiet for three times its longest pause, or for
 * as long as it was asked to wait.
 */
export function mayAskAgain(requests: readonly RequestEvent[], events: readonly AccountEvent[], now: Instant): boolean {
  const asked = [...requests, ...events.filter(isRequestEvent).filter(isDetailsRequest)].map(sentAt);
  const times = asked.toSorted((one, other) => one - other);
  const pauses = times.map((at, index) => at - (times[index - 1] ?? at));
  const waits = requests.map((event) => (event.kind === "refused" ? (event.retryAt ?? event.at) - event.at : 0));
  return now - Math.max(...times) < Math.max(QUIET_MILLIS, ...waits, ...pauses.map((pause) => 3 * pause));
}

/** Returns what came after each of the requests. A client can leave before a refusal, too. */
function aftermathsOf(
  requests: readonly RequestEvent[],
  events: readonly AccountEvent[],
): ReadonlyMap<string, Partial<Transaction>> {
  const found = new Map(
    requests.map((event): [string, Partial<Transaction>] => [
      event.requestId,
      event.kind === "accepted" ? begin(event, 0) : {},
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

/** Nothing is carried out here, so the numbers of the events do not matter. */
function progressAfter(progress: Transaction["progress"], event: AccountEvent): Transaction["progress"] {
  if (event.kind === "settled") return settle(event, 0);
  if (isUnresolved(progress)) return progress;
  if (event.kind === "reversed") return reverse(progress, event);
  return event.kind === "attempted" ? recordAttempt(progress, event, 0) : progress;
}
