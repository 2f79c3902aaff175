import { type Kes, showKes } from "../../gateway/domain/kes.ts";
import type { AppMap } from "../application/app-map.ts";
import type { ApplicationOrder } from "../application/application.ts";
import { isDebit } from "./judge-order.ts";
import { describeDebit } from "./order-verdict.ts";
import type { OrderEvidence } from "./order-evidence.ts";

/**
 * Says what money the map describes and the application does not show with a plain order that was delivered. Nothing would be found wrong
 * with it in any trial.
 */
export function explainUnreadMoney(
  { debited, books, placed }: Pick<OrderEvidence, "debited" | "books" | "placed">,
  map: AppMap,
): string | undefined {
  const seen = { balance: debited, books };
  for (const key of ["balance", "books"] as const) {
    const shown = seen[key];
    if (map[key] !== undefined && "missing" in shown)
      return `${describePlainOrder(placed)} is delivered, but ${key} cannot be read: ${shown.missing}. Check ${key} in the app map and what the application answers there, or leave it out.`;
  }
  return undefined;
}

/** Says both sides if a plain order that is delivered and paid costs something else than the app map says. */
export function explainOtherPrice(order: OrderEvidence): string | undefined {
  const { placed, debited, price, truth } = order;
  const isSold = order.claimed.claim === "paid" && truth.delivered.length > 0 && !truth.isSoldTwice;
  if (!isSold || price === undefined || "missing" in debited || isDebit(debited.value, [order]) !== false)
    return undefined;
  const what = placed.operation === "airtime" ? ` of KES ${placed.amount}` : "";
  const late = debited.value === 0 ? ", or set settle in the app map if the balance changes later" : "";
  return `A plain ${placed.operation} order${what} to ${placed.phoneNumber}, without any fault, was ${describeDebit(debited.value)}; by the app map, it costs KES ${showKes(price)}. If that is meant, say so in the app map, like balance: { price: ${priceLike(debited.value, placed)} }; otherwise correct the application${late}.`;
}

/** Returns how the app map says what was debited. */
function priceLike(debited: Kes, { operation, amount }: ApplicationOrder): string {
  const percent = debited / amount;
  if (operation === "sms") return `"${showKes(debited)}"`;
  return Number.isInteger(percent * 100) ? `"${percent}%"` : `[[${amount}, ${showKes(debited)}]]`;
}

/** The beginning of a sentence about a plain order. */
export function describePlainOrder({ operation, phoneNumber }: ApplicationOrder): string {
  return `A plain ${operation} order to ${phoneNumber}, without any fault,`;
}
