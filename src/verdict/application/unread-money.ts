import type { OrderEvidence } from "../orders/judge-order.ts";
import type { AppMap } from "./app-map.ts";

/**
 * Says what money the map describes and the application does not show with a plain order that was delivered. Nothing would be found wrong
 * with it in any trial.
 */
export function explainUnreadMoney(
  { debited, books, placed: { operation, phoneNumber } }: Pick<OrderEvidence, "debited" | "books" | "placed">,
  map: AppMap,
): string | undefined {
  const seen = { balance: debited, books };
  for (const key of ["balance", "books"] as const) {
    const shown = seen[key];
    if (map[key] !== undefined && "missing" in shown)
      return `A plain ${operation} order to ${phoneNumber}, without any fault, is delivered, but ${key} cannot be read: ${shown.missing}. Correct ${key} in the app map, or leave it out.`;
  }
  return undefined;
}
