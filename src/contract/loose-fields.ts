import type { Order } from "../domain/order.ts";
import type { Fields } from "./json-body.ts";

/** The fields that were taken although the document asks for another form of them (2.1, 2.2): an amount as a JSON number, a number as people dial it. */
export function looseFields(fields: Fields, order: Order): string[] {
  const names: string[] = [];
  if (fields["phone_number"] !== order.phoneNumber) names.push("phone_number");
  if (order.operation === "airtime" && typeof fields["amount"] !== "string") names.push("amount");
  return names;
}
