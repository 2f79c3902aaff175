import { formatKes, type Kes, kesAsNumber } from "../domain/kes.ts";
import type { GatewaySettings } from "../settings/gateway.ts";

/** Formats the amounts in JSON text according to the setting. JSON.stringify itself always writes the shortest form. */
export function withDecimals(json: string, decimals: GatewaySettings["decimals"]): string {
  if (decimals === "trimmed") return json;
  return json.replace(AMOUNT, (_, key: string, balance: string | undefined, amount: string) => {
    const written = Number(amount).toFixed(2);
    return key + (balance === undefined ? written : thirdDecimal(written, decimals));
  });
}

export function writeCharge(charge: Kes, decimals: GatewaySettings["decimals"]): string {
  return decimals === "trimmed" ? String(kesAsNumber(charge)) : formatKes(charge);
}

export function writeBalance(balance: Kes, decimals: GatewaySettings["decimals"]): string {
  return thirdDecimal(writeCharge(balance, decimals), decimals);
}

/** The owner's portal stores balances as decimal(10,3), and charges as decimal(5,2) (public-facts.md). */
function thirdDecimal(balance: string, decimals: GatewaySettings["decimals"]): string {
  return decimals === 3 ? `${balance}0` : balance;
}

/** Quotes inside strings are escaped, so client text can never match this. */
const AMOUNT = /("(?:charge|(account_balance|available_balance))":"?)(-?\d+(?:\.\d+)?)/g;
