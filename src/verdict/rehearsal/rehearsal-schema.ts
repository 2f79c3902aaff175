import * as z from "zod";
import { startClock } from "../../gateway/account/account-time.ts";
import { fileJsonSchema } from "../../gateway/document/json-schema.ts";
import { PARSE_ONCE } from "../../gateway/document/explain-issues.ts";
import { parseSource } from "../../gateway/document/parse-document.ts";
import type { Problem } from "../../gateway/document/problem.ts";
import {
  addProblem,
  durationValue,
  NUMBER_OR_TEXT,
  textMatching,
  topUpValue,
  SKIP_IF_INVALID,
  type ValueProblem,
} from "../../gateway/document/values.ts";
import { hasKey, readYaml, type YamlSource } from "../../gateway/document/yaml-source.ts";
import { cents, LARGEST_KES, showKes } from "../../gateway/domain/kes.ts";
import { formatInstant, LAST_MOMENT } from "../../gateway/domain/time.ts";
import { tooManyRulesAt } from "../../gateway/scenario/parse-scenario.ts";
import { type Scenario, scenarioSchema } from "../../gateway/scenario/schema.ts";
import { clockValue } from "../../gateway/settings/clock.ts";
import { type GatewaySettings, gatewaySettings, gatewayShape } from "../../gateway/settings/gateway.ts";
import { findWrongOrders, orderStep } from "./order-step.ts";

const nameValue = textMatching((text) => /^[A-Za-z0-9][\w.-]{0,63}$/.test(text), {
  what: "a rehearsal's name",
  repair: "write letters, digits, dots and dashes, like lost-acknowledgment",
});

const referenceValue = textMatching((text) => text.trim() !== "", {
  what: "a scenario",
  repair: "write its name, or the path of its file",
});

const stepShape = {
  order: orderStep
    .describe("Orders placed in the application according to its app map; those of a list at the same time.")
    .exactOptional(),
  advance: durationValue.describe("Advances a manual clock by this account time.").exactOptional(),
  top_up: topUpValue.meta(NUMBER_OR_TEXT).describe("Adds KES to the wallet.").exactOptional(),
  wait: durationValue.describe("Wall time to wait, for an application that works on its own.").exactOptional(),
};

/** One step: a mapping with exactly one of the keys. */
const stepValue = z.strictObject(stepShape).superRefine((written, context) => {
  const [first, second] = Object.keys(written);
  if (first === undefined)
    addProblem(context, { problem: "is empty", repair: `write one of ${Object.keys(stepShape).join(", ")}` });
  if (second !== undefined)
    addProblem(context, {
      path: [second],
      problem: `cannot be combined with ${first}`,
      repair: "write a separate step",
    });
}, SKIP_IF_INVALID);

const rehearsalMapping = z.strictObject({
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

/** A rehearsal that can be played at a gateway. */
function rehearsalSchema(gateway: GatewaySettings) {
  return rehearsalMapping.superRefine((written, context) => {
    const wrong = [...findWrongAdvances(written), ...findWrongTopUps(written), ...findWrongOrders(written, gateway)];
    for (const one of wrong) addProblem(context, one);
  }, SKIP_IF_INVALID);
}

type Written = z.output<typeof rehearsalMapping>;

function findWrongAdvances({ clock: settings, steps }: Written): ValueProblem[] {
  const clock = startClock(settings, 0);
  if (clock.mode !== "manual") {
    const wrong = steps.flatMap(({ advance }, step) => (advance === undefined ? [] : [["steps", step, "advance"]]));
    return wrong.map((path) => ({ path, ...NOT_MANUAL }));
  }
  let now = clock.from;
  const beyond = steps.findIndex(({ advance = 0 }) => (now += advance) > LAST_MOMENT);
  return beyond < 0 ? [] : [{ path: ["steps", beyond, "advance"], ...BEYOND_TIME }];
}

const NOT_MANUAL = { problem: "needs a manual clock", repair: "write wait instead, or leave out clock" };

const BEYOND_TIME = {
  problem: `moves the clock beyond ${formatInstant(LAST_MOMENT)}, the last moment that it can show`,
  repair: "advance by less",
};

/** KES 10,000.00, an account's balance unless a config says otherwise. */
const USUAL_BALANCE = cents(1_000_000);

/** What orders cost is not counted, because they may be refused. */
function findWrongTopUps({ scenario, steps }: Written): ValueProblem[] {
  const start = typeof scenario === "object" ? scenario.setup.wallet?.balance : undefined;
  let balance: number = start ?? USUAL_BALANCE;
  const beyond = steps.findIndex(({ top_up = 0 }) => (balance += top_up) > LARGEST_KES);
  const problem = `makes the wallet larger than KES ${showKes(LARGEST_KES)}`;
  return beyond < 0 ? [] : [{ path: ["steps", beyond, "top_up"], problem, repair: "add less" }];
}

/** One trial of an integrator's application: a scenario, and the orders placed while it plays. */
export type Rehearsal = Omit<Written, "scenario"> & {
  /** A reference, or an inline scenario as written. */
  readonly scenario?: string | Scenario;
};

export type ParsedRehearsal = { readonly rehearsal: Rehearsal } | { readonly problems: readonly Problem[] };

/** The gateway as in its document. */
const DOCUMENT = gatewaySettings(z.object(gatewayShape).parse({}, PARSE_ONCE));

export function parseRehearsal(text: string, file: string, gateway = DOCUMENT): ParsedRehearsal {
  const source = readYaml(text);
  const excess = tooManyRulesAt(["scenario", "rules"], source, file);
  if (excess !== undefined) return { problems: [excess] };
  const parsed = parseSource(source, rehearsalSchema(gateway), file);
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
  return fileJsonSchema(rehearsalMapping, { title: "Kredo rehearsal", description });
}
