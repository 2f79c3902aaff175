import type { Route } from "./carrier.ts";
import type { Kes } from "./kes.ts";
import type { PhoneNumber } from "./phone-number.ts";

/** The content of a valid request. */
export type Order = AirtimeOrder | SmsOrder;

export interface AirtimeOrder {
  readonly operation: "airtime";
  readonly phoneNumber: PhoneNumber;
  readonly amount: Kes;
}

export interface SmsOrder {
  readonly operation: "sms";
  readonly phoneNumber: PhoneNumber;
  readonly message: string;
  readonly senderId: string;
}

/** A valid order and the carrier of its number. */
export interface RoutedOrder<Kind extends Order = Order> {
  readonly order: Kind;
  readonly route: Route;
}

export type Operation = Order["operation"];

/** The paths of the gateway's endpoints (document 4). */
export const GATEWAY_PATHS = {
  airtime: "/api/v2/airtime",
  sms: "/api/v2/sms",
  "account-details": "/api/v2/account-details",
} as const;

/** Returns a key that is equal for requests with the same content. */
export function orderContent(order: Order): string {
  return order.operation === "airtime"
    ? `airtime|${order.phoneNumber}|${order.amount}`
    : `sms|${order.phoneNumber}|${order.senderId}|${order.message}`;
}
