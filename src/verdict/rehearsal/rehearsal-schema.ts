import * as z from "zod";
import { fileJsonSchema } from "../../gateway/document/json-schema.ts";
import { parseSource } from "../../gateway/document/parse-document.ts";
import type { Problem } from "../../gateway/document/problem.ts";
import { complain, durationValue, textThat } from "../../gateway/document/values.ts";
import { hasKey, readYaml, type YamlSource } from "../../gateway/document/yaml-source.ts";
import { type Scenario, scenarioSchema } from "../../gateway/scenario/schema.ts";
import { shillingsValue, UNLESS_WRONG } from "../../gateway/scenario/values.ts";
import { clockValue } from "../../gateway/settings/clock.ts";
import { PRODUCTS } from "../../gateway/domain/order.ts";

const nameValue = textThat((text) => /^[A-Za-z0-9][\w.-]{0,63}$/.test(text), {
  what: "a rehearsal's name",
  repair: "write letters, digits, dots and dashes, like lost-acknowledgment",
});

const referenceValue = textThat((text) => text.trim() !== "", {
  what: "a scenario",
  repair: "write its name, or the path of its file",
});

const phoneNumberValue = textThat((text) => /^254[17]\d{8}$/.test(text), {
  what: "a phone number",
  repair: "write 254 and nine digits",
});

/** More would be a load test. */
const MOST_ORDERS = 1_000;

const orderMapping = z.strictObject({
  operation: z.enum(PRODUCTS).describe("Default airtime.").prefault("airtime"),
  count: z.int().min(1).max(MOST_ORDERS).describe("How many orders. Default 1.").prefault(1),
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
});

export type OrderStep = z.output<typeof orderMapping>;

const orderStep = z.union([z.enum(PRODUCTS).transform((operation) => orderMapping.parse({ operation })), orderMapping]);

const stepShape = {
  order: orderStep.describe("Orders placed in the application according to its app map.").exactOptional(),
  advance: durationValue.describe("Advances a manual clock by this account time.").exactOptional(),
  top_up: shillingsValue.describe("Adds KES to the wallet.").exactOptional(),
  wait: durationValue.describe("Wall time to wait, for an application that works on its own.").exactOptional(),
};

/** One step: a mapping with exactly one of the keys. */
const stepValue = z.strictObject(stepShape).superRefine((written, context) => {
  const [first, second] = Object.keys(written);
  if (first === undefined)
    complain(context, { problem: "is empty", repair: `write one of ${Object.keys(stepShape).join(", ")}` });
  if (second !== undefined)
    complain(context, { path: [second], problem: `cannot be combined with ${first}`, repair: "write a separate step" });
}, UNLESS_WRONG);

const rehearsalSchema = z.strictObject({
  $schema: z.string().describe("For editors; Kredo does not read it.").exactOptional(),
  version: z.literal(1).describe("The version of this format: 1."),
  name: nameValue.describe("Its name in commands and reports."),
  description: z.string().describe("What it simulates, in a sentence or two.").exactOptional(),
  clock: clockValue
    .describe(
      "The account's clock: real, manual, or x and a speed. The application's own timers do not follow it. Default manual.",
    )
    .prefault("manual"),
  seed: z
    .int()
    .min(0)
    .describe(
      "The account's seed; --seed overrides it. Chances also depend on an order's phone number, so write phone_number to repeat them. Default: a new seed for each run.",
    )
    .exactOptional(),
  scenario: z
    .union([referenceValue, scenarioSchema])
    .describe(
      "What goes wrong: the name of a shipped scenario, a path relative to this file's folder, or an inline scenario. No other scenario is active.",
    )
    .exactOptional(),
  steps: z
    .array(stepValue)
    .min(1)
    .describe("The steps, in order. Default: one airtime order.")
    .prefault([{ order: {} }]),
});

/** One trial of an integrator's application: a scenario, and the orders placed while it plays. */
export type Rehearsal = Omit<z.output<typeof rehearsalSchema>, "scenario"> & {
  /** A reference, or an inline scenario as written. */
  readonly scenario?: string | Scenario;
};

export type ParsedRehearsal = { readonly rehearsal: Rehearsal } | { readonly problems: readonly Problem[] };

export function parseRehearsal(text: string, file: string): ParsedRehearsal {
  const parsed = parseSource(readYaml(text), rehearsalSchema, file);
  if ("problems" in parsed) return parsed;
  return { rehearsal: { ...parsed.value, scenario: parsed.written.scenario } };
}

/** Keys of a rehearsal that neither a scenario nor a config file has. */
const OWN_KEYS = ["steps", "scenario"];

/** Returns whether a document is meant to be a rehearsal, even if it is invalid. */
export function isRehearsal(source: YamlSource): boolean {
  return hasKey(source, OWN_KEYS);
}

export function rehearsalJsonSchema(): Record<string, unknown> {
  const description = "Orders to place in an application while a scenario plays. Kredo judges what becomes of them.";
  return fileJsonSchema(rehearsalSchema, { title: "Kredo rehearsal", description });
}
