import { formatKes, type Kes, kesAsNumber } from "../domain/kes.ts";
import type { GatewaySettings } from "../settings/gateway.ts";

/** Formats the amounts in JSON text according to the setting. JSON.stringify itself always writes the shortest form. */
export function withDecimals(json: string, decimals: GatewaySettings["decimals"]): string {
  return decimals === "trimmed"
    ? json
    : json.replace(AMOUNT, (_, key: string, amount: string) => `${key}${Number(amount).toFixed(2)}`);
}

/** Formats one amount according to the setting. */
export function writeAmount(amount: Kes, decimals: GatewaySettings["decimals"]): string {
  return decimals === "trimmed" ? String(kesAsNumber(amount)) : formatKes(amount);
}

/** Quotes inside strings are escaped, so client text can never match this. */
const AMOUNT = /("(?:charge|account_balance|available_balance)":"?)(-?\d+(?:\.\d+)?)/g;
