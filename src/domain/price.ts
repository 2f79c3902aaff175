import { cents, type Kes, timesKes } from "./kes.ts";
import type { Order } from "./order.ts";
import type { CarrierSettings, GatewaySettings } from "./settings.ts";
import { measureSms, type SmsMeasure } from "./sms-parts.ts";

/** What an order costs, and for an SMS how it was counted. */
export type Quote =
  | { readonly operation: "airtime"; readonly price: Kes }
  | { readonly operation: "sms"; readonly price: Kes; readonly measure: SmsMeasure };

/** Airtime costs the amount minus the carrier's discount (document 2.4), an SMS its parts times the carrier's price (document 8). */
export function quote(order: Order, carrier: CarrierSettings, gateway: GatewaySettings): Quote {
  if (order.operation === "airtime") return { operation: "airtime", price: discounted(order.amount, carrier.discount) };
  const measure = measureSms(order.message, gateway.ucs2Concatenated);
  return { operation: "sms", price: timesKes(carrier.smsPrice, measure.parts), measure };
}

/** The amount minus a discount in hundredths of a percent, rounded half up to a cent; split so that no product leaves the exact integers. */
export function discounted(amount: Kes, discount: number): Kes {
  const kept = WHOLE - discount;
  return cents(Math.floor(amount / WHOLE) * kept + Math.floor(((amount % WHOLE) * kept + WHOLE / 2) / WHOLE));
}

/** 100 percent, in hundredths of a percent. */
const WHOLE = 10_000;
