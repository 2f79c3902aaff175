import { showKes } from "../../gateway/domain/kes.ts";
import type { Order } from "../../gateway/domain/order.ts";
import { maskPhoneNumbers } from "../../gateway/domain/carrier.ts";
import { type Millis, MINUTE, SECOND } from "../../gateway/domain/time.ts";

/** Describes an order without the text of a message, which may contain a password, and without the full number. */
export function describeOrder(order: Order): string {
  const recipient = maskPhoneNumbers(order.phoneNumber);
  return order.operation === "airtime"
    ? `KES ${showKes(order.amount)} of airtime for ${recipient}`
    : `An SMS of ${order.message.length} characters from ${order.senderId} to ${recipient}`;
}

/** Formats a duration: "240 ms", "12.3 s", "7.0 min". Short durations are exact. */
export function describeDuration(millis: Millis): string {
  if (millis < 10 * SECOND) return `${Math.round(millis).toLocaleString("en")} ms`;
  return millis < 2 * MINUTE ? `${(millis / SECOND).toFixed(1)} s` : `${(millis / MINUTE).toFixed(1)} min`;
}
