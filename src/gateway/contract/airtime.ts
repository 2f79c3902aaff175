import * as z from "zod";
import type { Route } from "../domain/carrier.ts";
import { cents, formatKes, type Kes, KES_FORM, parseKes } from "../domain/kes.ts";
import type { AirtimeOrder, RoutedOrder } from "../domain/order.ts";
import type { CarrierSettings, GatewaySettings } from "../settings/gateway.ts";
import { FieldErrors, type Fields, formedField, recipientShape, routeOf } from "./fields.ts";

/** The body of an airtime request (document 2.1). */
export function airtimeShape({ profile, amount_type }: Pick<GatewaySettings, "profile" | "amount_type">) {
  const text = formedField(
    "amount",
    KES_FORM,
    'The amount must be shillings as digits with at most two decimals, such as "100" or "99.50".',
  );
  const amount =
    amount_type === "lenient"
      ? z.preprocess((value) => (typeof value === "number" ? String(value) : value), text)
      : text;
  return z.object({
    phone_number: recipientShape(profile),
    amount: amount
      .transform((written) => parseKes(written) ?? z.NEVER)
      .describe("KES as a string, within the carrier's limits."),
  });
}

/** Reads an airtime request. Throws `Refused` 422 with every field's errors. */
export function readAirtimeOrder(fields: Fields, gateway: GatewaySettings): RoutedOrder<AirtimeOrder> {
  const errors = new FieldErrors();
  const { shape } = shapeFor(gateway);
  const route = routeOf(errors.read(fields, "phone_number", shape.phone_number), gateway, errors);
  const amount = checkLimits(errors.read(fields, "amount", shape.amount), limits(gateway, route), errors);
  if (route === undefined || amount === undefined) return errors.refuse();
  return { order: { operation: "airtime", phoneNumber: route.phoneNumber, amount }, route };
}

/** Cached, because creating a schema costs more than parsing with it. */
function shapeFor(gateway: GatewaySettings): ReturnType<typeof airtimeShape> {
  const known = shapes.get(gateway) ?? airtimeShape(gateway);
  shapes.set(gateway, known);
  return known;
}

const shapes = new WeakMap<GatewaySettings, ReturnType<typeof airtimeShape>>();

type Limits = CarrierSettings["limits"];

function checkLimits(amount: Kes | undefined, { min, max }: Limits, errors: FieldErrors): Kes | undefined {
  if (amount === undefined || (amount >= min && amount <= max)) return amount;
  return errors.add("amount", `The amount must be between ${formatKes(min)} and ${formatKes(max)}.`);
}

/** Returns the carrier's limits, or the widest of all carriers if the number's carrier is unknown. */
function limits({ carriers }: GatewaySettings, route: Route | undefined): Limits {
  if (route !== undefined) return carriers[route.carrier].limits;
  const all = Object.values(carriers).map((carrier) => carrier.limits);
  return { min: cents(Math.min(...all.map(({ min }) => min))), max: cents(Math.max(...all.map(({ max }) => max))) };
}
