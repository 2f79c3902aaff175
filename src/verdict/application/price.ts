import { textMatching } from "../../gateway/document/values.ts";
import { cents, type Kes, NO_MONEY, parseKes, shareOfKes } from "../../gateway/domain/kes.ts";

/** How much a paid order takes from the customer's balance. */
export const priceValue = textMatching((text) => readPrice(text) !== undefined, {
  what: "a price",
  repair: 'write "{amount}", "{charge}", a percentage like "102%" or "102% of {charge}", or an amount like "50.00"',
}).meta({ type: ["string", "number"] });

/** A fixed price, or a share of the order's amount or of the gateway's charge, in hundredths of a percent. */
type Price = { readonly fixed: Kes } | { readonly of: "amount" | "charge"; readonly hundredths: number };

const SHARE = /^(\d{1,4}(?:\.\d{1,2})?)%(?: of \{(amount|charge)\})?$/;

function readPrice(text: string): Price | undefined {
  if (text === "{amount}" || text === "{charge}")
    return { of: text === "{amount}" ? "amount" : "charge", hundredths: WHOLE };
  const [, percent, of = "amount"] = SHARE.exec(text) ?? [];
  if (percent !== undefined)
    return { of: of === "charge" ? of : "amount", hundredths: Math.round(Number(percent) * 100) };
  const fixed = parseKes(text);
  return fixed === undefined ? undefined : { fixed };
}

const WHOLE = 10_000;

/** What an order costs its customer, and how far the application may have rounded it. */
export interface PricedOrder {
  readonly price: Kes;
  readonly rounding: Kes;
}

/** Returns what an order costs; undefined if that depends on an amount which it does not have. */
export function priceAs(text: string, amount: Kes | undefined, charge: Kes): PricedOrder | undefined {
  const price = readPrice(text);
  if (price === undefined) return undefined;
  if ("fixed" in price) return { price: price.fixed, rounding: NO_MONEY };
  const whole = price.of === "charge" ? charge : amount;
  if (whole === undefined) return undefined;
  return {
    price: shareOfKes(whole, price.hundredths),
    rounding: price.hundredths === WHOLE ? NO_MONEY : ROUNDED_PERCENTAGE,
  };
}

/** Whoever sells a percentage rounds it to shillings or to cents. */
export const ROUNDED_PERCENTAGE = cents(99);
