import { requestsNaming, requestsOfBackend } from "../../gateway/account/readings/requests-of-orders.ts";
import type { AccountEvent } from "../../gateway/account/account-event.ts";
import { placementOf } from "../application/placed-order.ts";
import type { Verdict } from "../verdict.ts";
import type { OrderEvidence } from "./order-evidence.ts";
import { readOrderTruth } from "./order-truth.ts";
import { problem } from "./order-verdict.ts";

/** Judges orders that must have been sent, whatever became of others: one that the application took, keeps open, and never sent is a defect. */
export function mustSend({ orders }: { readonly orders: readonly OrderEvidence[] }): (Verdict | undefined)[] {
  return orders.map((order) => (isUnsent(order) ? problem(order, "taken-not-sent") : undefined));
}

/** Judges an order beside others that were sent: its money is held, and nothing that became of them explains why it waits. */
export function judgeUnsent(order: OrderEvidence, events: readonly AccountEvent[]): Verdict[] {
  const { placed, debited, price } = order;
  // Where the map says nothing of money, none is asked for. What was not read is not known to be held.
  const isHeld = "value" in debited ? debited.value > 0 : "unasked" in debited && price === undefined;
  if (!isUnsent(order) || !isHeld || !hasNoReasonToWait(events)) return [];
  // A second order for one number may be kept for a person, who asks the customer whether it is meant.
  return requestsNaming(placed, requestsOfBackend(events)).length > 0 ? [] : [problem(order, "taken-not-sent")];
}

/**
 * Returns whether an application has sent orders, and each was accepted and its result told. After a refusal or silence it may rightly hold back
 * others, and one that sends them in turn may wait for a result.
 */
export function hasNoReasonToWait(events: readonly AccountEvent[]): boolean {
  const { readings } = readOrderTruth(events, requestsOfBackend(events));
  const isCalledBack = events.some(({ kind }) => kind === "attempted");
  const isOver = readings.every(
    ({ answer, isAccepted, isStuck, isSilenced, isNotified }) =>
      answer.says === "accepted" && (!isAccepted || (!isStuck && !isSilenced && (isNotified || !isCalledBack))),
  );
  return isOver && readings.some(({ isAccepted }) => isAccepted);
}

/** Returns whether an application has taken an order, keeps it open, and has not sent it. What it shows for review waits for a person. */
export function isUnsent({ placed, truth, claimed, isForReview }: OrderEvidence): boolean {
  return placementOf(placed) === "taken" && truth.asked === 0 && claimed.claim === "open" && isForReview !== true;
}
