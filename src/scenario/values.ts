import * as z from "zod";
import { optionalKey } from "../document/optional-key.ts";
import { amountValue, complain, senderIdValue, textThat } from "../document/values.ts";
import type { Comparison } from "../domain/scenario.ts";

/** Plain numbers are read letter by letter, so an editor may take them too. */
const NUMBER_OR_TEXT = { type: ["string", "number"] };

/** Shillings, with or without quotes. */
export const shillingsValue = amountValue.meta(NUMBER_OR_TEXT);

export const senderIdText = senderIdValue.meta(NUMBER_OR_TEXT);

/** The name of a state that a scenario can be in. */
export const stateValue = textThat((text) => /^[\w.-]{1,64}$/.test(text), {
  what: "a state",
  repair: "write a name of letters, digits, dots and dashes",
});

/** The name of a rule: it is shown in logs and headers. */
export const ruleNameValue = textThat((text) => text.trim() === text && /^[^\p{Cc}]{1,200}$/u.test(text), {
  what: "a rule's name",
  repair: "write one line of at most 200 characters",
});

/** Numbers, or patterns in which `*` stands for anything. */
export const phonePatternValue = textThat((text) => /^[\d*]{1,32}$/.test(text) && (text.includes("*") || /^254[17]\d{8}$/.test(text)), {
  what: "a phone number or a pattern of them",
  repair: "write 254 and nine digits, or a pattern like 25471*",
}).meta(NUMBER_OR_TEXT);

/** One value, or a list of them. */
export function oneOrMore<Value>(value: z.ZodType<Value>): z.ZodType<readonly Value[]> {
  return z.union([value.transform((one) => [one]), z.array(value).min(1)]);
}

/** A bare value that must be equal, or a mapping of bounds. */
export function comparisonOf(number: z.ZodType<number>): z.ZodType<Comparison> {
  const bounds = z.strictObject({
    eq: optionalKey("Exactly this.", () => number),
    gt: optionalKey("More than this.", () => number),
    gte: optionalKey("This or more.", () => number),
    lt: optionalKey("Less than this.", () => number),
    lte: optionalKey("This or less.", () => number),
  });
  return z.union([number.transform((eq) => ({ eq })), someOf(bounds)]);
}

/** A mapping that needs at least one of its keys. */
export function someOf<Shape extends z.ZodRawShape>(mapping: z.ZodObject<Shape>): z.ZodObject<Shape> {
  const keys = Object.keys(mapping.shape);
  const check = (written: object, context: z.RefinementCtx): void => {
    if (Object.keys(written).length === 0) complain(context, { problem: "is empty", repair: `write at least one of ${keys.join(", ")}` });
  };
  return mapping.superRefine(check, UNLESS_WRONG);
}

/** Says no more about a mapping in which something is wrong already. */
export const UNLESS_WRONG = { when: ({ issues }: { issues: readonly unknown[] }): boolean => issues.length === 0 };
