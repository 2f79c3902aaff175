import { isDetailsRequest, isRequestEvent } from "../../gateway/account/event-guards.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import type { RequestEvent } from "../../gateway/account/events.ts";
import type { FollowedOrder, JudgedOrder } from "../orders/followed-order.ts";
import type { Operation } from "../../gateway/domain/order.ts";
import type { TimelineEntry } from "../rehearsal/report.ts";
import { type Cell, isBetweenOrders, type Point, ruleNameOf } from "./cell.ts";

/** The outcome of one cell's order. */
export interface CellResult extends JudgedOrder {
  readonly cell: Cell;
  readonly order: FollowedOrder;
  /** The requests and callbacks of its order. */
  readonly timeline: readonly TimelineEntry[];
  /** The points that occurred, in order. With parallel orders, requests for account details are left out, because they name no order. */
  readonly points: readonly Point[];
  /** Whether every fault occurred. */
  readonly isPlayed: boolean;
  /** Whether the machine was too busy to tell a slow application from a broken one. */
  readonly isUnclear: boolean;
  /** With parallel orders: whether one of them asked for account details more often than a plain order does. */
  readonly asksMore: boolean;
}

/** The order of a cell, followed to its end. */
export interface OrderOfCell extends FollowedOrder {
  readonly cell: Cell;
}

interface RunOfOrder {
  readonly timeline: readonly TimelineEntry[];
  readonly events: readonly AccountEvent[];
  /** Whether no other order ran in parallel. */
  readonly isAlone: boolean;
  readonly asksMore: boolean;
}

export function resultOf(
  order: OrderOfCell,
  judged: JudgedOrder,
  { timeline, events, isAlone, asksMore }: RunOfOrder,
): CellResult {
  const { cell, truth } = order;
  const own = new Set(truth.requests.map(({ requestId }) => requestId));
  const requests = events
    .filter(isRequestEvent)
    .filter((event) => own.has(event.requestId) || (isAlone && isDetailsRequest(event)));
  const ids = new Set([...requests, ...namelessRequests(cell, events)].map(({ requestId }) => requestId));
  const fired = new Set(requests.flatMap(({ rules }) => (rules?.fired ?? []).map(({ rule }) => rule)));
  const played = cell.faults.filter(
    (one) => !("then" in one.fault) || fired.has(ruleNameOf(one, order.placed.phoneNumber)),
  );
  const wasCalled = events.some(isRequestEvent);
  return {
    ...judged,
    cell,
    order,
    timeline: timeline.filter(({ exchange }) => ids.has(exchange.requestId)),
    points: pointsOf(requests, cell.operation),
    isPlayed: wasCalled && played.length === cell.faults.length,
    asksMore,
    isUnclear: false,
  };
}

/** Returns the requests that name no order because the gateway refused them unread, once it had revoked the credentials. */
function namelessRequests(cell: Cell, events: readonly AccountEvent[]): RequestEvent[] {
  if (!isBetweenOrders(cell)) return [];
  return events.flatMap((event) =>
    event.kind === "refused" && event.code === 401 && event.operation === cell.operation ? [event] : [],
  );
}

/** Returns the result of a cell if the machine was too busy for a verdict that depends on time. */
export function unclear({ defect: _defect, ...result }: CellResult): CellResult {
  return { ...result, verdict: "not assessed", remark: TOO_BUSY, isUnclear: true };
}

export const TOO_BUSY =
  "the machine was too busy to tell a slow application from a broken one; explore again when it has less to do";

/** Returns the result of a cell whose order came after another one. A defect of the earlier order counts as the cell's. */
export function withEarlier(result: CellResult, earlier: CellResult | undefined): CellResult {
  if (earlier === undefined) return result;
  const timeline = [...earlier.timeline, ...result.timeline].toSorted((one, other) => one.at - other.at);
  const { defect } = earlier;
  if (result.defect !== undefined || defect === undefined) return { ...result, timeline };
  return { ...result, timeline, verdict: "defect", defect: { ...defect, seen: `the order before it: ${defect.seen}` } };
}

function pointsOf(requests: readonly RequestEvent[], operation: Operation): Point[] {
  const isDetails = requests.map(isDetailsRequest);
  return isDetails.map((one, index) => ({
    operation,
    isDetails: one,
    nth: isDetails.slice(0, index + 1).filter((other) => other === one).length,
  }));
}
