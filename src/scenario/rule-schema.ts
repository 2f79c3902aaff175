import * as z from "zod";
import { optionalKey } from "../document/optional-key.ts";
import { complain } from "../document/values.ts";
import type { Effects, Rule, When } from "../domain/scenario.ts";
import { checkEffects } from "./contradictions.ts";
import { type EffectKey, EFFECTS } from "./effects.ts";
import { type MatcherKey, MATCHERS } from "./matchers.ts";
import { COUNTERS, countingShape, readCounting } from "./matchers/counting.ts";
import { ruleNameValue } from "./values.ts";

/** As a matcher is called in a file. */
type WrittenMatcher = Exclude<MatcherKey, "phoneNumber" | "senderId"> | "phone_number" | "sender_id";

const matcherShape = {
  operation: optional(MATCHERS.operation),
  phone_number: optional(MATCHERS.phoneNumber),
  carrier: optional(MATCHERS.carrier),
  amount: optional(MATCHERS.amount),
  balance: optional(MATCHERS.balance),
  message: optional(MATCHERS.message),
  sender_id: optional(MATCHERS.senderId),
  encoding: optional(MATCHERS.encoding),
  parts: optional(MATCHERS.parts),
  header: optional(MATCHERS.header),
  probability: optional(MATCHERS.probability),
  during: optional(MATCHERS.during),
  in: optional(MATCHERS.in),
} satisfies Record<WrittenMatcher, z.ZodType>;

const whenValue = z.lazy(() =>
  z
    .strictObject({ ...matcherShape, ...countingShape })
    .superRefine((written, context) => {
      if (written.per !== undefined && COUNTERS.every((counter) => written[counter] === undefined))
        complain(context, { path: ["per"], problem: "has nothing to count", repair: `add one of ${COUNTERS.join(", ")}, or remove it` });
    })
    .transform(({ phone_number: phoneNumber, sender_id: senderId, first, nth, every, after, per, ...same }): When => {
      const count = readCounting({
        ...(first !== undefined && { first }),
        ...(nth !== undefined && { nth }),
        ...(every !== undefined && { every }),
        ...(after !== undefined && { after }),
        ...(per !== undefined && { per }),
      });
      return { ...same, ...(phoneNumber && { phoneNumber }), ...(senderId && { senderId }), ...(count && { count }) };
    }),
);

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
