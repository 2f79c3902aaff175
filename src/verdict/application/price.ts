import * as z from "zod";
import { describeValue } from "../../gateway/document/describe-value.ts";
import { addProblem, amountValue, readText, SKIP_IF_INVALID } from "../../gateway/document/values.ts";
import { cents, type Kes, parseKes, shareOfKes, timesKes } from "../../gateway/domain/kes.ts";
import type { Operation } from "../../gateway/domain/order.ts";

/** How much a paid order takes from the customer's balance: a share is in hundredths of a percent. */
export type Price =
  | { readonly fixed: Kes }
  | { readonly of: "amount" | "charge"; readonly hundredths: number }
  | { readonly pairs: readonly (readonly [shillings: number, price: Kes])[] }
  | { readonly perPart: Kes };

const PRICE_FORMS = {
  what: "a price",
  repair:
    'write "{amount}", "{charge}", a percentage like "97%" or "102% of {charge}", an amount like "50.00", pairs like [[50, 48.50], [100, 97]], or { per_part: "1.00" }',
};

const pairsValue = z
  .array(z.tuple([z.int().min(1), amountValue]))
  .min(1)
  .superRefine((pairs, context) => {
    const twice = pairs.findIndex(([ordered], at) => pairs.findIndex(([other]) => other === ordered) < at);
    if (twice !== -1)
      addProblem(context, { path: [twice], problem: "prices an amount for the second time", repair: "keep one price" });
  }, SKIP_IF_INVALID);

export const priceValue = z.union([
  readText(readPrice, PRICE_FORMS).meta({ type: ["string", "number"] }),
  pairsValue.transform((pairs): Price => ({ pairs })),
  z
    .strictObject({ per_part: amountValue.describe("The price of each part of an SMS.") })
    .transform(({ per_part: perPart }): Price => ({ perPart })),
  // Takes nothing, so that all forms are named where none was meant.
  z
    .unknown()
    .transform((written, context): never => {
      addProblem(context, { problem: `${describeValue(written)} is not a price`, repair: PRICE_FORMS.repair });
      return z.NEVER;
    })
    .meta({ not: {} }),
]);

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

/** What a price may depend on. */
export interface Priced {
  readonly operation: Operation;
  /** Of airtime, in shillings. */
  readonly amount: number;
  /** What the gateway charged. */
  readonly charged: Kes;
  /** Of an SMS, as the gateway counts them. */
  readonly parts: number;
}

/** What an order costs its customer. */
export interface PricedOrder {
  /** To the nearest cent. */
  readonly price: Kes;
  /** A percentage in cents, which whoever sells it rounds. */
  readonly unrounded?: number;
}

/** Returns what an order costs; undefined if the price does not say it of an order of this kind. */
export function priceAs(price: Price, order: Priced): PricedOrder | undefined {
  if ("fixed" in price) return { price: price.fixed };
  return order.operation === "sms" ? priceOfSms(price, order) : priceOfAirtime(price, order);
}

type Varying = Exclude<Price, { readonly fixed: Kes }>;

function priceOfSms(price: Varying, { charged, parts }: Priced): PricedOrder | undefined {
  if ("perPart" in price) return { price: timesKes(price.perPart, parts) };
  return "of" in price && price.of === "charge" ? shareOf(charged, price.hundredths) : undefined;
}

function priceOfAirtime(price: Varying, { amount, charged }: Priced): PricedOrder | undefined {
  const ordered = cents(amount * 100);
  if ("perPart" in price) return { price: ordered };
  if ("of" in price) return shareOf(price.of === "charge" ? charged : ordered, price.hundredths);
  const pair = price.pairs.find(([one]) => one === amount);
  return pair && { price: pair[1] };
}

/** Returns a percentage, given in hundredths. */
export function shareOf(whole: Kes, hundredths: number): PricedOrder {
  if (hundredths === WHOLE) return { price: whole };
  return { price: shareOfKes(whole, hundredths), unrounded: (whole * hundredths) / WHOLE };
}

/** Whoever sells percentages rounds them to cents or to whole shillings, up or down. */
const ROUNDED_TO = [1, 100];

/** Returns between which amounts a share of a price lies, however it is rounded. */
export function boundsOf({ price, unrounded }: PricedOrder, least = 1, most = least): { from: Kes; to: Kes } {
  const unit = unrounded === undefined ? 1 : Math.max(...ROUNDED_TO);
  const units = (unrounded ?? price) / unit;
  return { from: cents(Math.floor(units * least) * unit), to: cents(Math.ceil(units * most) * unit) };
}

/** Returns whether a sum is that of these prices, if the percentages among them are all rounded to the same unit. */
export function isSumOf(sum: Kes, prices: readonly PricedOrder[]): boolean {
  return ROUNDED_TO.some((unit) => {
    const add = (round: (count: number) => number): number =>
      prices.reduce((all, { price, unrounded }) => {
        return all + (unrounded === undefined ? price : round(unrounded / unit) * unit);
      }, 0);
    const least = add(Math.floor);
    return sum >= least && sum <= add(Math.ceil) && (sum - least) % unit === 0;
  });
}
