import { formatKes } from "../domain/kes.ts";
import type { Order } from "../domain/order.ts";
import { maskPhoneNumber } from "../domain/phone-number.ts";
import { type Millis, MINUTE, SECOND } from "../domain/time.ts";

/** What was ordered; never the text of a message, which may hold a password, nor the whole number. */
export function orderInWords(order: Order): string {
  const recipient = maskPhoneNumber(order.phoneNumber);
  return order.operation === "airtime"
    ? `KES ${formatKes(order.amount)} of airtime for ${recipient}`
    : `An SMS of ${order.message.length} characters from ${order.senderId} to ${recipient}`;
}

/** "240 ms", "12.3 s", "7 min": exact where it is short. */
export function timeInWords(millis: Millis): string {
  if (millis < 10 * SECOND) return `${Math.round(millis).toLocaleString("en")} ms`;
  return millis < 2 * MINUTE ? `${(millis / SECOND).toFixed(1)} s` : `${(millis / MINUTE).toFixed(1)} min`;
}
