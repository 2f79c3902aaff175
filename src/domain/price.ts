import { cents, type Kes, timesKes } from "./kes.ts";
import type { Order } from "./order.ts";
import { measureSms, type SmsMeasure, type Ucs2Concatenated } from "./sms-parts.ts";

/** The price of an order and, for an SMS, its measure. */
export type Quote =
  | { readonly operation: "airtime"; readonly price: Kes }
  | { readonly operation: "sms"; readonly price: Kes; readonly measure: SmsMeasure };

interface CarrierPrices {
  /** Airtime discount in hundredths of a percent: 500 is 5 percent. */
  readonly discount: number;
  readonly sms_price: Kes;
}

/**
 * Prices an order. Airtime costs the amount minus the carrier's discount (document 2.4); an SMS costs the carrier's price per part
 * (document 8).
 */
export function quote(
  order: Order,
  carrier: CarrierPrices,
  gateway: { readonly ucs2_concatenated: Ucs2Concatenated },
): Quote {
  if (order.operation === "airtime") return { operation: "airtime", price: discounted(order.amount, carrier.discount) };
  const measure = measureSms(order.message, gateway.ucs2_concatenated);
  return { operation: "sms", price: timesKes(carrier.sms_price, measure.parts), measure };
}

/** Subtracts a discount in hundredths of a percent, rounded half up to a cent. Split so that no product exceeds the exact integers. */
export function discounted(amount: Kes, discount: number): Kes {
  const kept = WHOLE - discount;
  return cents(Math.floor(amount / WHOLE) * kept + Math.floor(((amount % WHOLE) * kept + WHOLE / 2) / WHOLE));
}

/** 100 percent, in hundredths of a percent. */
const WHOLE = 10_000;
