import { forEachProduct, type Operation, type Order, orderFields } from "../../domain/order.ts";
import type { AccountEvent } from "../account-event.ts";
import { isDetailsRequest, isRequestEvent } from "../event-guards.ts";
import type { RequestEvent } from "../events.ts";
import { isOfKredo } from "./answer.ts";

/** Returns the requests of a backend: all but those of Kredo's own commands and of its page. */
export function requestsOfBackend(events: readonly AccountEvent[]): RequestEvent[] {
  return events.filter(isRequestEvent).filter((event) => !isOfKredo(event));
}

/** What a customer ordered from a backend. */
interface Ordered {
  readonly operation: Operation;
  readonly phoneNumber: string;
  /** The further numbers that an SMS is for. */
  readonly recipients?: readonly string[];
  /** In shillings. */
  readonly amount: number;
  readonly message: string;
  /** Unique among orders. */
  readonly reference: string;
  /** How many requests for its number had come when it was placed, if an earlier order has the same number. */
  readonly requestsBefore?: number;
}

/** Returns every number that an order is for. */
export function numbersOf({ phoneNumber, recipients = [] }: Pick<Ordered, "phoneNumber" | "recipients">): string[] {
  return [phoneNumber, ...recipients];
}

/**
 * Returns the gateway requests for each order, by its reference: those that name one of its numbers. Of several orders for that, the latest
 * has those that come after it was placed, but for late ones that order what an earlier one did. An order that has none gets those to a number that nobody ordered for, if they order the same, and those that name no number
 * because they were refused unread.
 */
export function requestsByOrder(
  events: readonly AccountEvent[],
  orders: readonly Ordered[],
  /** The numbers of earlier orders, which the application may still try. */
  earlier: ReadonlySet<string> = new Set(),
): ReadonlyMap<string, RequestEvent[]> {
  const requests = requestsOfBackend(events);
  const numbers = new Set(orders.flatMap(numbersOf));
  const named = namedByOrder(orders, requests);
  const lacking = orders.filter(({ reference }) => named.get(reference)?.length === 0);
  const strays = lacking.length === 0 ? [] : requests.filter((event) => isStray(orderOf(event)?.phoneNumber));
  const unread = forEachProduct(() => 0);
  for (const event of strays) {
    const [order, operation] = [orderOf(event), operationOf(event)];
    if (operation === undefined) continue;
    const possible = lacking.filter((one) => one.operation === operation);
    const whose = order
      ? possible.find((one) => isAlike(one, order))
      : (possible[unread[operation]++] ?? possible.at(-1));
    if (whose !== undefined) named.get(whose.reference)?.push(event);
  }
  return named;

  function isStray(phoneNumber = ""): boolean {
    return !numbers.has(phoneNumber) && !earlier.has(phoneNumber);
  }
}

/** Returns the requests that name a number of each order, by its reference. */
function namedByOrder(orders: readonly Ordered[], requests: readonly RequestEvent[]): Map<string, RequestEvent[]> {
  const named = new Map<string, RequestEvent[]>(orders.map(({ reference }) => [reference, []]));
  for (const [index, order] of orders.entries()) {
    if (orders.findIndex((one) => isForSame(one, order)) !== index) continue;
    const forSame = orders.filter((one) => isForSame(one, order));
    for (const [nth, request] of requestsNaming(order, requests).entries()) {
      const placed = forSame.filter(({ requestsBefore = 0 }) => requestsBefore <= nth);
      const whose = whoseRequest(request, placed, (one) => named.get(one.reference) ?? []);
      if (whose !== undefined) named.get(whose.reference)?.push(request);
    }
  }
  return named;
}

/** Returns which of these orders for one number a request is for. `before` are those that each already has. */
function whoseRequest(
  request: RequestEvent,
  placed: readonly Ordered[],
  before: (order: Ordered) => readonly RequestEvent[],
): Ordered | undefined {
  const latest = placed.at(-1);
  const alike = placed.filter((order) => ordersSame(request, order));
  const isAccepted = (order: Ordered): boolean =>
    before(order).some((one) => one.kind === "accepted" && one.order.phoneNumber === orderOf(request)?.phoneNumber);
  if (latest === undefined || alike.length === 0) return latest;
  const unsold = alike.find((order) => !isAccepted(order));
  if (!alike.includes(latest)) return unsold ?? alike.at(-1);
  // What is late was tried before.
  return unsold !== undefined && isAccepted(latest) && before(unsold).length > 0 ? unsold : latest;
}

/** Returns whether a request orders the amount or the text that a customer did. */
export function ordersSame(request: RequestEvent, ordered: Ordered): boolean {
  const order = orderOf(request);
  return order !== undefined && isAlike(ordered, order);
}

type Named = Pick<Ordered, "operation" | "phoneNumber" | "recipients">;

/** Returns the requests that name one of the numbers of an order. */
export function requestsNaming(order: Named, requests: readonly RequestEvent[]): RequestEvent[] {
  return requests.filter((event) => orderOf(event)?.operation === order.operation && isFor(event, numbersOf(order)));
}

/** Returns whether a request is for one of these numbers. */
export function isFor(event: RequestEvent, numbers: readonly string[]): boolean {
  const { phoneNumber } = orderOf(event) ?? {};
  return phoneNumber !== undefined && numbers.includes(phoneNumber);
}

function isForSame(one: Named, other: Named): boolean {
  return one.operation === other.operation && one.phoneNumber === other.phoneNumber;
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
