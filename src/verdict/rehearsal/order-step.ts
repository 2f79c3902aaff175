import * as z from "zod";
import { readOrder } from "../../gateway/contract/order.ts";
import { addProblem, textMatching, SKIP_IF_INVALID, type ValueProblem } from "../../gateway/document/values.ts";
import { PRODUCTS } from "../../gateway/domain/order.ts";
import { Refused, type ValidationErrors } from "../../gateway/domain/refusal.ts";
import type { ParsedScenario } from "../../gateway/scenario/schema.ts";
import type { GatewaySettings } from "../../gateway/settings/gateway.ts";

const phoneNumberValue = textMatching((text) => /^254[17]\d{8}$/.test(text), {
  what: "a phone number",
  repair: "write 254 and nine digits",
});

/** More would be a load test. */
const MAX_ORDERS = 1_000;

const orderMapping = z
  .strictObject({
    operation: z.enum(PRODUCTS).describe("Default airtime.").prefault("airtime"),
    count: z.int().min(1).max(MAX_ORDERS).describe("How many orders. Default 1.").prefault(1),
    at_once: z.boolean().describe("Whether they are placed at the same time. Default false.").prefault(false),
    phone_number: phoneNumberValue
      .describe(
        "The number of the first order; the others count up from it. Default: a number of its own for each order.",
      )
      .exactOptional(),
    typed: z
      .enum(["local", "plus"])
      .describe("How the customer types the number: 0712 000 001 or +254712000001. Default: as in the app map.")
      .exactOptional(),
    amount: z.int().min(1).describe("Whole KES of airtime. Default: another amount for each order.").exactOptional(),
    message: z.string().min(1).describe("The text of an SMS.").exactOptional(),
  })
  .superRefine(checkKeys, SKIP_IF_INVALID);

export type OrderStep = z.output<typeof orderMapping>;

/** Orders to place: what they are alone, or a mapping; or a list of mappings, placed at the same time. */
export const orderStep = z.union([
  z.enum(PRODUCTS).transform((operation) => [orderMapping.parse({ operation })]),
  orderMapping.transform((order) => [order]),
  z.array(orderMapping).min(2),
]);

const KEY_OF_OTHERS = { airtime: "message", sms: "amount" } as const;

function checkKeys(order: OrderStep, context: z.RefinementCtx): void {
  const { operation } = order;
  const key = KEY_OF_OTHERS[operation];
  if (order[key] === undefined) return;
  const other = PRODUCTS.filter((product) => product !== operation).join(" or ");
  const repair = `remove it, or write operation: ${other}`;
  addProblem(context, { path: [key], problem: `has no effect on an order of ${operation}`, repair });
}

/** Returns the phone number of the nth order of a step, counted from 0. */
export function nthPhoneNumber(phoneNumber: string, nth: number): string {
  return String(Number(phoneNumber) + nth);
}

/** Finds what cannot be ordered: what the gateway refuses unread, and the same twice at the same time, which nothing tells apart. */
export function findWrongOrders({ steps, scenario }: OrderingSteps, gateway: GatewaySettings): ValueProblem[] {
  const gatewayFor = portedAs(gateway, scenario);
  return steps.flatMap(({ order = [] }, index) =>
    order.flatMap((one, at) => {
      const wrong = [...findRefused(one, gatewayFor), ...findTwice(one, order.slice(0, at))];
      const place = ["steps", index, "order", ...(order.length > 1 ? [at] : [])];
      return wrong.slice(0, 1).map(({ path = [], ...found }) => ({ path: [...place, ...path], ...found }));
    }),
  );
}

interface OrderingSteps {
  readonly steps: readonly { readonly order?: readonly OrderStep[] }[];
  readonly scenario?: string | Pick<ParsedScenario, "setup">;
}

type GatewayFor = (phoneNumber: string) => GatewaySettings;

/** A scenario in a file of its own, which is not read here, may port any number. */
function portedAs(gateway: GatewaySettings, scenario: OrderingSteps["scenario"]): GatewayFor {
  const porting = (ported: GatewaySettings["numbers"]["ported"]): GatewaySettings => ({
    ...gateway,
    numbers: { ...gateway.numbers, ported: { ...gateway.numbers.ported, ...ported } },
  });
  if (typeof scenario === "string") return (phoneNumber) => porting({ [phoneNumber]: "safaricom" });
  return () => porting(scenario?.setup.numbers?.ported ?? {});
}

function findRefused(order: OrderStep, gatewayFor: GatewayFor): ValueProblem[] {
  const refusalOf = (number = "254712345678"): ValidationErrors => refusalBy(gatewayFor(number), order, number);
  const { phone_number: first } = order;
  // What is not written is chosen when the order is placed.
  const errors = Object.entries(refusalOf(first)).filter(([field]) => field in order);
  if (errors.length > 0) return errors.map(([field, sentences]) => ({ path: [field], ...explain(sentences) }));
  return numbersOf(order).flatMap((number) => {
    const sentences = refusalOf(number)["phone_number"];
    return sentences === undefined ? [] : [{ path: pathOf(number, order), ...explain(sentences, ` ${number}`) }];
  });
}

/** Finds an order that is placed at the same time as another for its number, and may be for the same. */
function findTwice(order: OrderStep, others: readonly OrderStep[]): ValueProblem[] {
  const { operation } = order;
  const key = operation === "airtime" ? "amount" : "message";
  const alike = others.filter(
    (one) =>
      one.operation === operation && (one[key] === undefined || order[key] === undefined || one[key] === order[key]),
  );
  const twice = numbersOf(order).find((number) => alike.some((one) => numbersOf(one).includes(number)));
  if (twice === undefined) return [];
  const problem = `gives two orders at the same time the number ${twice}`;
  return [{ path: pathOf(twice, order), problem, repair: `write another ${key} for each, or place them in two steps` }];
}

function numbersOf({ count, phone_number: first }: OrderStep): string[] {
  return first === undefined ? [] : Array.from({ length: count }, (_, nth) => nthPhoneNumber(first, nth));
}

function pathOf(number: string, { phone_number: first }: OrderStep): string[] {
  return [number === first ? "phone_number" : "count"];
}

function explain(sentences: readonly string[], number = ""): Pick<ValueProblem, "problem" | "repair"> {
  const said = sentences.join(" ").replace(/\.$/, "");
  return { problem: `the gateway refuses${number || " it"}: ${said}`, repair: "write one that it accepts" };
}

/** Returns the errors with which a gateway refuses an order of a step, by their key of the step. */
function refusalBy(
  gateway: GatewaySettings,
  { operation, amount = 100, message = "Habari" }: OrderStep,
  phoneNumber: string,
): ValidationErrors {
  const fields = { phone_number: phoneNumber, amount: String(amount), message, sender_id: "SANDBOX" };
  const body = new TextEncoder().encode(JSON.stringify(fields));
  try {
    readOrder(operation, { contentType: "application/json", body }, gateway, () => true);
    return {};
  } catch (error) {
    if (error instanceof Refused && error.details.validationErrors !== undefined) return error.details.validationErrors;
    throw error;
  }
}
