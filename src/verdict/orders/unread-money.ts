import type { AppMap } from "../application/app-map.ts";
import type { ApplicationOrder } from "../application/application.ts";
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

/** The beginning of a sentence about a plain order. */
export function describePlainOrder({ operation, phoneNumber }: ApplicationOrder): string {
  return `A plain ${operation} order to ${phoneNumber}, without any fault,`;
}
