import type { GatewaySettings } from "../settings/gateway.ts";

/** Writes the amounts of a JSON text as the setting says: JSON.stringify always writes the shortest form. */
export function withDecimals(json: string, decimals: GatewaySettings["decimals"]): string {
  return decimals === "trimmed" ? json : json.replace(AMOUNT, (_, key: string, amount: string) => `${key}${Number(amount).toFixed(2)}`);
}

/** A quote inside a string is escaped, so no text of a client's can look like this. */
const AMOUNT = /("(?:charge|account_balance|available_balance)":)(-?\d+(?:\.\d+)?)/g;
