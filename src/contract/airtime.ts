import type { Route } from "../domain/carrier.ts";
import { cents, formatKes, type Kes, parseKes } from "../domain/kes.ts";
import type { AirtimeOrder } from "../domain/order.ts";
import type { GatewaySettings } from "../domain/settings.ts";
import { FieldErrors } from "./field-errors.ts";
import type { Fields } from "./json-body.ts";
import { readRecipient } from "./recipient.ts";

/** Reads an airtime request. Throws `Refused` 422 with every field's errors. */
export function readAirtimeOrder(fields: Fields, gateway: GatewaySettings): AirtimeOrder {
  const errors = new FieldErrors();
  const route = readRecipient(fields, gateway, errors);
  const amount = readAmount(fields, gateway, { errors, route });
  if (route === undefined || amount === undefined || !errors.isEmpty()) return errors.refuse();
  return { operation: "airtime", phoneNumber: route.phoneNumber, amount };
}

function readAmount(
  fields: Fields,
  gateway: GatewaySettings,
  { errors, route }: { errors: FieldErrors; route: Route | undefined },
): Kes | undefined {
  const text = amountText(fields, gateway, errors);
  if (text === undefined) return undefined;
  const amount = parseKes(text);
  if (amount === undefined)
    return errors.add("amount", 'The amount must be shillings as digits with at most two decimals, such as "100" or "99.50".');
  const { min, max } = limits(gateway, route);
  if (amount >= min && amount <= max) return amount;
  return errors.add("amount", `The amount must be between ${formatKes(min)} and ${formatKes(max)}.`);
}

function amountText(fields: Fields, { amountType }: GatewaySettings, errors: FieldErrors): string | undefined {
  const value = Object.hasOwn(fields, "amount") ? fields["amount"] : undefined;
  return typeof value === "number" && amountType === "lenient" ? String(value) : errors.text(fields, "amount");
}

/** The carrier's limits; the widest of all where the number says no carrier. */
function limits({ carriers }: GatewaySettings, route: Route | undefined): { min: Kes; max: Kes } {
  if (route !== undefined) return carriers[route.carrier].limits;
  const all = Object.values(carriers).map((carrier) => carrier.limits);
  return { min: cents(Math.min(...all.map(({ min }) => min))), max: cents(Math.max(...all.map(({ max }) => max))) };
}
