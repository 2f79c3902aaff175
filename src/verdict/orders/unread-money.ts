import { formatKes, type Kes, showKes } from "../../gateway/domain/kes.ts";
import type { AppMap } from "../application/app-map.ts";
import type { ApplicationOrder } from "../application/placed-order.ts";
import { isDebit } from "./judge-money.ts";
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
  const { placed, debited, price, unrounded } = order;
  if (!isSoldOnce(order) || price === undefined || "missing" in debited || isDebit(debited.value, [order]) !== false)
    return undefined;
  const what = placed.operation === "airtime" ? ` for KES ${placed.amount}` : "";
  const rounded = unrounded === undefined ? "" : ", or whole shillings beside that";
  const repair =
    debited.value > 0
      ? `If that is meant, say so in the app map, like balance: { price: ${priceLike(debited.value, placed)} }; otherwise correct the application.`
      : "Correct the application, balance in the app map, or settle there if the balance changes later.";
  return `${describePlainOrder(placed)}${what} was ${describeDebit(debited.value)}; by the app map, it costs KES ${showKes(price)}${rounded}. ${repair}`;
}

function isSoldOnce({ claimed, truth, part }: OrderEvidence): boolean {
  return claimed.claim === "paid" && truth.delivered.length > 0 && !truth.isSoldTwice && part === undefined;
}

/** Returns how the app map says what was debited. */
function priceLike(debited: Kes, { operation, amount }: ApplicationOrder): string {
  if (operation === "sms") return `"${formatKes(debited)}"`;
  const percent = Math.round((100 * debited) / amount) / 100;
  return percent * amount === debited ? `"${percent}%"` : `[[${amount}, ${formatKes(debited)}]]`;
}

/** The beginning of a sentence about a plain order. */
export function describePlainOrder({ operation, phoneNumber }: ApplicationOrder): string {
  return `A plain ${operation} order to ${phoneNumber}, without any fault,`;
}
