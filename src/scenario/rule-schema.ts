import * as z from "zod";
import { optionalKey } from "../document/optional-key.ts";
import type { Effects, Rule } from "../domain/scenario.ts";
import { checkEffects } from "./contradictions.ts";
import type { EffectKey } from "./effect-keys.ts";
import { EFFECTS } from "./effects.ts";
import { ruleNameValue } from "./values.ts";
import { whenValue } from "./when-schema.ts";

const effectShape = {
  refuse: optional(EFFECTS.refuse),
  ack: optional(EFFECTS.ack),
  connection: optional(EFFECTS.connection),
  result: optional(EFFECTS.result),
  callback: optional(EFFECTS.callback),
  enter: optional(EFFECTS.enter),
} satisfies Record<EffectKey, z.ZodType>;

const thenValue: z.ZodType<Effects> = z.lazy(() => z.strictObject(effectShape));

/** One rule of a file. */
export const ruleValue = z.lazy(() =>
  z
    .strictObject({
      name: ruleNameValue.describe("What the rule tells: shown in logs, in x-kredo-rule and with each transaction. No two are alike."),
      when: optionalKey(
        "Which requests it is about; all that is written must hold. Without it: every airtime and SMS request.",
        () => whenValue,
      ),
      then: thenValue.describe("What it does. An empty mapping shields requests from later rules."),
      continue: optionalKey("Later rules may add effects that this one does not set. Default false.", () => z.boolean()),
    })
    .transform(({ when = {}, continue: goesOn = false, ...same }): Rule => ({ ...same, when, continue: goesOn }))
    .superRefine(checkEffects),
);

function optional<Value>({ schema, summary }: { schema: z.ZodType<Value>; summary: string }): z.ZodExactOptional<z.ZodType<Value>> {
  return optionalKey(summary, () => schema);
}
