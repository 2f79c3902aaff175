import { isRequestEvent } from "../../gateway/account/event-guards.ts";
import { isUnread, requestsOfBackend } from "../../gateway/account/readings/requests-of-orders.ts";
import type { RequestEvent } from "../../gateway/account/events.ts";
import { placementOf } from "../application/placed-order.ts";
import type { WrittenEffects } from "../faults.ts";
import type { OrderEvidence } from "../orders/order-evidence.ts";
import { breaksDetailsRequest, type Condition, type Experiment, type Happening, ruleNameOf } from "./experiment.ts";
import type { Result } from "./result.ts";

/** Returns a condition that needs all of these. */
export function all(...conditions: readonly Condition[]): Condition {
  return (happening) => {
    for (const condition of conditions) {
      const unmet = condition(happening);
      if (unmet !== undefined) return unmet;
    }
    return undefined;
  };
}

/** The faults of each order met one of its requests. Without faults, the experiment's own condition says what it needs. */
export function faultsHappened({ orders: planned, happened }: Pick<Experiment, "orders" | "happened">): Condition {
  const needsRequest = happened === undefined || planned.some(({ faults = [] }) => faults.length > 0);
  return ({ events, orders }) => {
    const backend = requestsOfBackend(events);
    if (needsRequest && backend.length === 0) return "no request reached the gateway";
    const fired = new Set(backend.flatMap(rulesFiredBy));
    // A refused order has no result and no callback.
    const firedAndAccepted = new Set(backend.filter(({ kind }) => kind === "accepted").flatMap(rulesFiredBy));
    // An application that refuses the order itself meets no revoked credentials.
    const isUnauthorized = backend.some((event) => event.kind === "refused" && event.code === 401);
    const missing = planned.flatMap(({ faults = [] }, index) => {
      const phoneNumber = orders[index]?.placed.phoneNumber;
      return faults.filter((at) =>
        "then" in at.fault
          ? !(needsAcceptance(at.fault.then) ? firedAndAccepted : fired).has(ruleNameOf(at, phoneNumber))
          : "happens" in at.fault && !isUnauthorized,
      );
    });
    return missing.length === 0 ? undefined : "no request got that far";
  };
}

function rulesFiredBy(event: RequestEvent): string[] {
  return ("rules" in event ? (event.rules?.fired ?? []) : []).map(({ rule }) => rule);
}

function needsAcceptance({ result, callback }: WrittenEffects): boolean {
  return result !== undefined || callback !== undefined;
}

/**
 * Returns whether faults wait for requests for account details that never came, or an order's request leaves before any restart can come. A
 * defect was seen all the same.
 */
export function isWithoutOccasion({
  experiment,
  unmet,
  defect,
}: Pick<Result, "experiment" | "unmet" | "defect">): boolean {
  return unmet !== undefined && defect === undefined && (breaksDetailsRequest(experiment) || unmet === LEFT_AT_ONCE);
}

/** Each order reached the gateway before the first callback was sent. */
export const requestedBeforeCallbacks: Condition = ({ events, orders }) => {
  const first = firstCallback(events);
  const requests = orders.map((order) => firstRequestOf(order, events));
  if (requests.includes(-1)) return "an order never reached the gateway";
  return first !== -1 && requests.some((at) => at > first)
    ? "an order reached the gateway only after the first callback"
    : undefined;
};

/** Each order reached the gateway, or the application did not take it. */
export const requested: Condition = ({ orders }) =>
  orders.every((order) => order.truth.asked > 0 || wasRefused(order))
    ? undefined
    : "an order never reached the gateway";

/** The first callback of one order came before the last of another, which may have some for further requests. */
export function calledBackInOrder(one: number, other: number): Condition {
  return ({ events, orders }) => {
    const [first, last] = [firstCallback(events, orders[one]), callbacksOf(orders[other], events).at(-1) ?? -1];
    if (first === -1 || last === -1) return "a callback was never sent";
    return first < last ? undefined : "the callbacks came in another order";
  };
}

/** Of one of the first order's requests, each callback but the last came before a wait of wall time. */
export const calledBackBetweenWaits: Condition = ({ events, orders: [order], waitedAt = [] }) => {
  const areApart = callbacksByRequest(order, events).some(
    (callbacks) =>
      callbacks.length > waitedAt.length &&
      waitedAt.every((wait, index) => callbacks.filter((at) => at < wait).length === index + 1),
  );
  return areApart ? undefined : "the callbacks did not come as far apart";
};

/** An application that goes on listening has lost nothing by its restart. */
const STAYED_UP = "the application did not go down";

/** When the application was told to restart, each order had reached the gateway, and none had a callback. */
export const restartedBeforeCallbacks: Condition = ({ events, orders, restartedAt = -1, wentDownAt }) => {
  if (wentDownAt === undefined) return STAYED_UP;
  const first = firstCallback(events);
  if (!orders.every((order) => isBetween(firstRequestOf(order, events), 0, restartedAt)))
    return "an order had not reached the gateway before the restart";
  return first !== -1 && first < restartedAt ? "a callback came before the restart" : undefined;
};

const LEFT_AT_ONCE = "its request left before the restart";

/** When the application went down, no order had reached the gateway. */
export const restartedBeforeRequests: Condition = ({ events, wentDownAt }) => {
  if (wentDownAt === undefined) return STAYED_UP;
  const first = events.findIndex((event) => isRequestEvent(event) && !isUnread(event));
  return first !== -1 && first < wentDownAt ? LEFT_AT_ONCE : undefined;
};

/** When the application was told to restart, each order had its first callback, and the order at this place no other. */
export function restartedAfterFirstCallbacks(repeated: number): Condition {
  return ({ events, orders, restartedAt = -1, wentDownAt }) => {
    if (wentDownAt === undefined) return STAYED_UP;
    if (!orders.every((order) => isBetween(firstCallback(events, order), 0, restartedAt)))
      return "a callback had not come before the restart";
    const again = callbacksByRequest(orders[repeated], events).filter((times) => times.length > 1);
    if (again.length === 0) return "no callback was repeated";
    return again.some((times) => times.filter((at) => at < restartedAt).length === 1)
      ? undefined
      : "a callback was repeated before the restart";
  };
}

/** An application that does not say whether it takes an order may say of it later that it failed, or that there is none. */
function wasRefused({ placed, claimed }: OrderEvidence): boolean {
  const isOpen = placed.reply.kind === "answered" && placementOf(placed) === "unknown";
  return placementOf(placed) === "refused" || (isOpen && claimed.claim === "failed");
}

function isBetween(place: number, from: number, until: number): boolean {
  return place >= from && place < until;
}

function firstRequestOf({ truth }: OrderEvidence, events: Happening["events"]): number {
  const [first] = truth.requests;
  return first === undefined ? -1 : events.indexOf(first);
}

/** Returns the place of the first callback, of an order or of any; -1 if there was none. */
function firstCallback(events: Happening["events"], order?: OrderEvidence): number {
  if (order !== undefined) return callbacksOf(order, events)[0] ?? -1;
  return events.findIndex(({ kind }) => kind === "attempted");
}

function callbacksOf(order: OrderEvidence | undefined, events: Happening["events"]): number[] {
  return callbacksByRequest(order, events)
    .flat()
    .toSorted((one, other) => one - other);
}

/** An order may be several requests by design. */
function callbacksByRequest(order: OrderEvidence | undefined, events: Happening["events"]): number[][] {
  return (order?.truth.requests ?? []).map(({ requestId }) =>
    events.flatMap((event, at) => (event.kind === "attempted" && event.requestId === requestId ? [at] : [])),
  );
}
