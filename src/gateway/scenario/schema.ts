import type { Immutable } from "../domain/immutable.ts";
import * as z from "zod";
import { fileJsonSchema } from "../document/json-schema.ts";
import { carrierValue, phoneNumberKey, shillingsValue, textMatching } from "../document/values.ts";
import { SINK_URL } from "../domain/callback-outcome.ts";
import { forEachProduct, PRODUCT_WORDS } from "../domain/order.ts";
import { rateLimitValue, senderIdsValue } from "../settings/account.ts";
import { callbackUrlValue } from "../settings/callbacks.ts";
import { checkContradictions } from "./contradictions.ts";
import { thenSchema } from "./effects.ts";
import { whenSchema } from "./matchers.ts";
import { checkNames } from "./names.ts";
import { stepSchema } from "./timeline-steps.ts";

const ruleNameValue = textMatching((text) => text.trim() === text && /^[^\p{Cc}]{1,200}$/u.test(text), {
  what: "a rule's name",
  repair: "write one line of at most 200 characters",
});

/** One rule of a file. */
const ruleSchema = z.lazy(() =>
  z
    .strictObject({
      name: ruleNameValue.describe(
        "The rule's name, unique in the file: shown in logs, in x-kredo-rule and with each transaction.",
      ),
      when: whenSchema
        .exactOptional()
        .describe("The requests it matches: all conditions must hold. Default: every airtime and SMS request."),
      then: thenSchema.describe("The effects. An empty mapping only keeps later rules from matching."),
      continue: z
        .boolean()
        .exactOptional()
        .describe("Whether later rules may add effects that this one does not set. Default false."),
    })
    .transform(({ when = {}, continue: continues = false, ...same }) => ({ ...same, when, continue: continues }))
    .superRefine(checkContradictions),
);

export type Rule = Immutable<z.output<typeof ruleSchema>>;

/** Changes to the account when the scenario starts. */
const setupSchema = z.strictObject({
  wallet: z
    .strictObject({ balance: shillingsValue.describe("KES available at the start.") })
    .exactOptional()
    .describe("The wallet."),
  sender_ids: senderIdsValue
    .exactOptional()
    .describe("Registered sender IDs, instead of the account's own: each a string, or a mapping with its carriers."),
  callbacks: z
    .strictObject(
      forEachProduct((product) =>
        callbackUrlValue
          .exactOptional()
          .describe(`URL for ${PRODUCT_WORDS[product].results}; ${SINK_URL} delivers inside the sandbox.`),
      ),
    )
    .exactOptional()
    .describe("Callback URLs, instead of the account's own."),
  numbers: z
    .strictObject({
      ported: z
        .record(phoneNumberKey, carrierValue)
        .exactOptional()
        .describe('The carrier that serves a number, regardless of its prefix: { "254722000111": airtel }.'),
    })
    .exactOptional()
    .describe("Phone numbers."),
  rate_limit: rateLimitValue.exactOptional().describe("Requests allowed per period."),
});

const nameValue = textMatching((text) => /^[A-Za-z0-9][\w.-]{0,63}$/.test(text), {
  what: "a scenario's name",
  repair: "write letters, digits, dots and dashes, like bad-afternoon",
});

/** A scenario file. */
export const scenarioSchema = z.lazy(() =>
  z
    .strictObject({
      $schema: z.string().exactOptional().describe("For editors; Kredo does not read it."),
      version: z.literal(1).describe("The version of this format: 1."),
      name: nameValue.describe("The scenario's name in commands, in the control API and in x-kredo-rule."),
      description: z.string().exactOptional().describe("What it simulates, in a sentence or two."),
      seed: z
        .int()
        .min(0)
        .exactOptional()
        .describe(
          "Repeats the run on any account, from each start: the same requests get the same ids, delays and chances. Only ids are new if the account has run it before.",
        ),
      setup: setupSchema
        .exactOptional()
        .describe("Changes to the account when the scenario starts, and again after a reset."),
      rules: z
        .array(ruleSchema)
        .exactOptional()
        .describe("The rules, tried in order. The first that matches decides, unless it has continue: true."),
      timeline: z.array(stepSchema).exactOptional().describe("What happens automatically, on the account's clock."),
    })
    .transform(({ $schema: _schema, version: _version, setup = {}, rules = [], timeline = [], ...same }) => ({
      ...same,
      setup,
      rules,
      timeline,
    }))
    .superRefine(checkNames),
);

/** A scenario as written in a file: plain data, and what an account's journal keeps of it. */
export type Scenario = Immutable<z.input<typeof scenarioSchema>>;

/** A scenario as read: amounts in cents, delays in milliseconds, and defaults filled in. */
export type ParsedScenario = Immutable<z.output<typeof scenarioSchema>>;

/** The scenario file's JSON Schema, for editors. */
export function scenarioJsonSchema(): Record<string, unknown> {
  return fileJsonSchema(scenarioSchema, {
    title: "Kredo scenario",
    description: "What goes wrong, for which requests, and when.",
  });
}
