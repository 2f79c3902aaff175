import type * as z from "zod";
import type { PhoneNumber, Route } from "./carrier.ts";
import type { Immutable } from "./immutable.ts";
import { cents, formatKes, type Kes, kesAsNumber, timesKes } from "./kes.ts";
import { measureSms, type SmsMeasure, type Ucs2Concatenated } from "./sms-parts.ts";
import type { airtimeOrder, carrierResultSchema as result, order, smsOrder } from "./schemas.ts";

/** The content of a valid request. */
export type Order = Immutable<z.output<typeof order>>;
export type AirtimeOrder = Immutable<z.output<typeof airtimeOrder>>;
export type SmsOrder = Immutable<z.output<typeof smsOrder>>;

/** A valid order and the carrier of its number. */
export interface RoutedOrder<Kind extends Order = Order> {
  readonly order: Kind;
  readonly route: Route;
}

/** What the gateway sells. */
export const PRODUCTS = ["airtime", "sms"] as const;
export type Operation = (typeof PRODUCTS)[number];

export function forEachProduct<Value>(valueOf: (product: Operation) => Value): Record<Operation, Value> {
  return { airtime: valueOf("airtime"), sms: valueOf("sms") };
}

/** What is asked for with an order, and what its callback brings. */
export const PRODUCT_WORDS = {
  airtime: { order: "order airtime", results: "airtime results" },
  sms: { order: "send an SMS", results: "delivery reports" },
} as const satisfies Record<Operation, object>;

/** Everything that can be asked of the gateway. */
export const ENDPOINTS = [...PRODUCTS, "account-details"] as const;
export type Endpoint = (typeof ENDPOINTS)[number];

/** The paths of the gateway's endpoints (document 4). */
export const GATEWAY_PATHS = {
  airtime: "/api/v2/airtime",
  sms: "/api/v2/sms",
  "account-details": "/api/v2/account-details",
} as const satisfies Record<Endpoint, string>;

/** Returns a key that is equal for requests with the same content. */
export function orderContent(order: Order): string {
  return order.operation === "airtime"
    ? `airtime|${order.phoneNumber}|${order.amount}`
    : `sms|${order.phoneNumber}|${order.senderId}|${order.message}`;
}

/** Returns what an order says, by the field names of the gateway's document (2.1, 2.2). Everybody who shows or compares an order reads this. */
export function orderFields(order: Order | undefined): OrderFields {
  if (order === undefined) return {};
  const { phoneNumber: phone_number } = order;
  return order.operation === "airtime"
    ? { phone_number, amount: kesAsNumber(order.amount) }
    : { phone_number, message: order.message, sender_id: order.senderId };
}

interface OrderFields {
  readonly phone_number?: string;
  /** In shillings. */
  readonly amount?: number;
  readonly message?: string;
  readonly sender_id?: string;
}

/** An order for showing what its callback looks like. */
export function sampleOrder(product: Operation, phoneNumber: PhoneNumber): Order {
  return product === "airtime"
    ? { operation: product, phoneNumber, amount: cents(500) }
    : { operation: product, phoneNumber, message: "Habari", senderId: "SANDBOX" };
}

/** The price of an order and, for an SMS, its measure. */
export type Quote =
  | { readonly operation: "airtime"; readonly price: Kes }
  | { readonly operation: "sms"; readonly price: Kes; readonly measure: SmsMeasure };

interface CarrierPrices {
  /** Airtime discount in hundredths of a percent: 500 is 5 percent. */
  readonly discount: number;
  readonly sms_price: Kes;
}

type WithoutNumber<Kind> = Kind extends Order ? Omit<Kind, "phoneNumber" | "senderId"> : never;

/**
 * Prices an order. Airtime costs the amount minus the carrier's discount (document 2.4); an SMS costs the carrier's price per part
 * (document 8).
 */
export function quoteOrder(
  order: WithoutNumber<Order>,
  carrier: CarrierPrices,
  gateway: { readonly ucs2_concatenated: Ucs2Concatenated },
): Quote {
  if (order.operation === "airtime") return { operation: "airtime", price: discounted(order.amount, carrier.discount) };
  const measure = measureSms(order.message, gateway.ucs2_concatenated);
  return { operation: "sms", price: timesKes(carrier.sms_price, measure.parts), measure };
}

/** Subtracts a discount in hundredths of a percent, rounded half up to a cent. Split so that no product exceeds the exact integers. */
function discounted(amount: Kes, discount: number): Kes {
  const kept = WHOLE - discount;
  return cents(Math.floor(amount / WHOLE) * kept + Math.floor(((amount % WHOLE) * kept + WHOLE / 2) / WHOLE));
}

/** 100 percent, in hundredths of a percent. */
const WHOLE = 10_000;

/** The values of `result_code`; the document names only 200, the others are guesses. */
export type ResultCodes = Readonly<Record<CarrierResult["outcome"], number>>;

export const RESULT_CODES: ResultCodes = {
  success: 200,
  failed: 500,
  rejected: 403,
  not_on_network: 404,
  timed_out: 504,
  insufficient_funds: 402,
  duplicate: 422,
};

export type CarrierResult = Immutable<z.output<typeof result>>;

/** The settings that a result is written with. */
export interface ResultForm {
  readonly result_codes: ResultCodes;
  readonly result_desc: "kredo" | "statum";
}

/** Builds a carrier's result with the callback's wording. The sentences are guesses: the document only says what they express (2.4). */
export function carrierResult(order: Order, outcome: keyof ResultCodes, form: ResultForm): CarrierResult {
  return { outcome, resultCode: form.result_codes[outcome], resultDesc: describeResult(order, outcome, form) };
}

/** Joined, because each order stores its sentence, and V8 stores a template's parts. */
function describeResult(order: Order, outcome: keyof ResultCodes, { result_desc }: ResultForm): string {
  if (order.operation === "sms") return REPORTS[outcome];
  const { amount, phoneNumber } = order;
  // From the test data of an integrator with the gateway's own example number (public-facts.md).
  if (result_desc === "statum" && outcome === "success")
    return ["You have topped up ", phoneNumber, " with Ksh. ", kesAsNumber(amount), "."].join("");
  return ["Airtime top-up of KES", formatKes(amount), "to", phoneNumber, TOP_UPS[outcome]].join(" ");
}

const TOP_UPS: Readonly<Record<keyof ResultCodes, string>> = {
  success: "was successful.",
  failed: "failed: the carrier could not complete it.",
  rejected: "failed: the carrier rejected it.",
  not_on_network: "failed: the number is not on this network.",
  timed_out: "failed: the carrier did not answer in time.",
  insufficient_funds: "failed: insufficient funds.",
  duplicate: "failed: the same order came shortly before.",
};

/** Delivered, rejected and failed are the document's own terms (2.4). */
const REPORTS: Readonly<Record<keyof ResultCodes, string>> = {
  success: "Message delivered.",
  failed: "Message failed.",
  rejected: "Message rejected.",
  not_on_network: "Message failed: the number is not on this network.",
  timed_out: "Message failed: the carrier did not answer in time.",
  insufficient_funds: "Message failed: insufficient funds.",
  duplicate: "Message failed: the same message came shortly before.",
};

/** A failed airtime top-up costs nothing. A failed SMS is charged only if the setting says so. */
export function isCharged(
  order: Order,
  outcome: keyof ResultCodes,
  gateway: { readonly charge_failed_sms: boolean },
): boolean {
  return outcome === "success" || (order.operation === "sms" && gateway.charge_failed_sms);
}
