import * as z from "zod";
import { CARRIERS, parsePhoneNumber } from "../domain/carrier.ts";
import type { Delay } from "../domain/draws.ts";
import { type Kes, parseKes } from "../domain/kes.ts";
import { isSenderId } from "../domain/sender-id.ts";
import { formatDuration, LONGEST_DURATION, type Millis, parseDuration } from "../domain/time.ts";
import { quoteText } from "./describe-value.ts";

/** A wider spread would put most delays beyond anything a real network does. */
const WIDEST_SIGMA = 3;

export interface TextExpectation {
  /** What the text should be, with its article: "an amount". */
  readonly what: string;
  /** How to write it: "write shillings like 10000.00". */
  readonly repair: string;
}

/** Parses a string with a domain parser. Reports a string that the parser rejects as "… is not {what}". */
export function readText<Value>(read: (text: string) => Value | undefined, wanted: TextExpectation) {
  return z.string().transform((text, context) => {
    const value = read(text);
    if (value !== undefined) return value;
    addProblem(context, { problem: `${quoteText(text)} is not ${wanted.what}`, repair: wanted.repair });
    return z.NEVER;
  });
}

export function isFilled(text: string): boolean {
  return text.trim() !== "";
}

export function textMatching(passes: (text: string) => boolean, wanted: TextExpectation) {
  return readText((text) => (passes(text) ? text : undefined), wanted);
}

/** A string in which `find` finds no mistakes. */
export function checkedText(find: (text: string) => readonly ValueProblem[]) {
  return z.string().superRefine((text, context) => find(text).forEach((wrong) => addProblem(context, wrong)));
}

export function keyMatching(passes: (text: string) => boolean, wanted: TextExpectation) {
  const error = ({ input }: { input?: unknown }): string => `${quoteText(String(input))} is not ${wanted.what}`;
  return z.string().refine(passes, { error, params: { repair: wanted.repair } });
}

/** Shillings: a string, or a number with at most two decimals. */
export const amountValue = z.union([
  readText(parseKes, { what: "an amount", repair: "write shillings like 10000.00" }),
  z.number().transform(readShillings),
]);

/** Shillings to add to a wallet. */
export const topUpValue = amountValue.superRefine((amount, context) => {
  if (amount === 0) addProblem(context, { problem: "0.00 adds nothing", repair: "write at least 0.01" });
});

function readShillings(shillings: number, context: z.RefinementCtx): Kes {
  const amount = parseKes(String(shillings));
  if (amount !== undefined) return amount;
  addProblem(context, {
    problem: `${shillings} is not an amount`,
    repair: "write shillings with at most two decimals, 0 or more",
  });
  return z.NEVER;
}

const DURATION = { what: "a duration of up to 366d", repair: "write a duration like 400ms, 1.5s, 1h30m or 2d" };

export const durationValue = readText(readDuration, DURATION);

/** A duration that stays as it is written. */
export const durationText = textMatching((text) => readDuration(text) !== undefined, DURATION);

/** Parses a duration of at most 366 days. */
function readDuration(text: string): Millis | undefined {
  const millis = parseDuration(text);
  return millis === undefined || millis > LONGEST_DURATION ? undefined : millis;
}

export const carrierValue = z.lazy(() => z.enum(CARRIERS));

export const senderIdValue = textMatching(isSenderId, {
  what: "a sender ID",
  repair: "write 5 or 6 digits, or at most 11 characters with at least one letter",
});

export const phoneNumberKey = keyMatching((text) => parsePhoneNumber(text, "strict") !== undefined, {
  what: "a phone number",
  repair: "write 254 and nine digits, like 254712345678",
});

/** A share in hundredths of a percent: "6%" is 600. */
export const percentValue = readText(readPercent, {
  what: "a percentage from 0% to 100%",
  repair: 'write at most two decimals and the sign, like "6%" or "2.75%"',
});

/** Parses a percentage into hundredths of a percent: "6%" is 600. */
function readPercent(text: string): number | undefined {
  const [, whole, decimals = ""] = /^(\d{1,3})(?:\.(\d{1,2}))?%$/.exec(text) ?? [];
  const hundredths = Number(whole) * 100 + Number(decimals.padEnd(2, "0"));
  return whole === undefined || hundredths > 10_000 ? undefined : hundredths;
}

const lognormalValue = z.lazy(() =>
  z.strictObject({
    median: durationValue.describe("The median: half of the delays are shorter."),
    sigma: z.number().min(0).max(WIDEST_SIGMA).describe("The spread: the standard deviation of the logarithm, 0 to 3."),
  }),
);

/** The three ways to write a delay. */
export const delayShape = {
  fixed: durationValue.exactOptional().describe("A constant delay."),
  uniform: z
    .tuple([durationValue, durationValue])
    .exactOptional()
    .describe("Evenly distributed between the two bounds."),
  lognormal: lognormalValue
    .exactOptional()
    .describe("Mostly near the median, sometimes much longer, like network latencies."),
};

export type DelayKeys = z.output<z.ZodObject<typeof delayShape>>;

/** A delay: a constant such as "400ms", or a mapping with one of fixed, uniform or lognormal. */
export const delayValue = z.lazy(() =>
  z.union([durationValue.transform((fixed): Delay => ({ fixed })), z.strictObject(delayShape).transform(readDelay)]),
);

export function readDelay(written: DelayKeys, context: z.RefinementCtx): Delay {
  const { fixed, uniform, lognormal } = written;
  const given = [fixed !== undefined && { fixed }, uniform && { uniform }, lognormal && { lognormal }].filter(
    (delay) => delay !== undefined && delay !== false,
  );
  const [delay] = given;
  if (delay === undefined || given.length > 1) {
    addProblem(context, {
      problem: "needs exactly one of fixed, uniform or lognormal",
      repair: "write one, like { fixed: 400ms }",
    });
    return z.NEVER;
  }
  if (uniform !== undefined && uniform[0] > uniform[1]) {
    const problem = `${formatDuration(uniform[0])} is longer than ${formatDuration(uniform[1])}`;
    addProblem(context, { path: ["uniform", 0], problem, repair: "write the shorter bound first" });
  }
  return delay;
}

/** Headers to add to a message, by name, in which `find` finds no mistakes. */
export function checkedHeaders(find: (name: string, value: string) => readonly ValueProblem[]) {
  return z.lazy(() =>
    z.record(z.string(), z.string()).superRefine((headers, context) => {
      for (const [name, value] of Object.entries(headers))
        for (const wrong of name.toLowerCase() === "content-type" ? [CONTENT_TYPE] : find(name, value))
          addProblem(context, { path: [name], ...wrong });
    }),
  );
}

const CONTENT_TYPE = {
  problem: "has a key of its own",
  repair: "write content_type next to headers, in a scenario or a resend",
};

export interface ValueProblem {
  /** A path inside the value being checked. Defaults to the value itself. */
  readonly path?: (string | number)[];
  readonly problem: string;
  readonly repair: string;
}

/** Reports a problem with a value, or with a part of it. */
export function addProblem(context: z.RefinementCtx, { path = [], problem, repair }: ValueProblem): void {
  context.addIssue({ code: "custom", path, message: problem, params: { repair } });
}

/** Plain numbers are read as the text that was written, so the JSON Schema allows them, too. */
export const NUMBER_OR_TEXT = { type: ["string", "number"] };

/** Shillings, with or without quotes. */
export const shillingsValue = amountValue.meta(NUMBER_OR_TEXT);

/** Phone numbers, or patterns in which `*` matches anything. */
export const phonePatternValue = textMatching(
  (text) => /^[\d*]{1,32}$/.test(text) && (text.includes("*") || /^254[17]\d{8}$/.test(text)),
  {
    what: "a phone number or a pattern of them",
    repair: "write 254 and nine digits, or a pattern like 25471*",
  },
).meta(NUMBER_OR_TEXT);

/** One value, or a list of values. */
export function oneOrMore<Value, Written>(
  value: z.ZodType<Value, Written>,
): z.ZodType<readonly Value[], Written | readonly Written[]> {
  return z.union([value.transform((one) => [one]), z.array(value).min(1)]);
}

/** A mapping that needs at least one of its keys. */
export function atLeastOneKey<Shape extends z.ZodRawShape>(mapping: z.ZodObject<Shape>): z.ZodObject<Shape> {
  const keys = Object.keys(mapping.shape);
  const check = (written: object, context: z.RefinementCtx): void => {
    if (Object.keys(written).length === 0)
      addProblem(context, { problem: "is empty", repair: `write at least one of ${keys.join(", ")}` });
  };
  return mapping.superRefine(check, SKIP_IF_INVALID);
}

/** Skips a check if the mapping already has other mistakes. */
export const SKIP_IF_INVALID = { when: ({ issues }: { issues: readonly unknown[] }): boolean => issues.length === 0 };

/** Writes cents as shillings: `50.00`. Takes a number, because those in a comparison have no brand. */
export function centsAsShillings(count: number): string {
  return (count / 100).toFixed(2);
}

/** An entry in a table of matchers or effects. */
interface TableEntry {
  readonly schema: z.ZodType;
  readonly summary: string;
}

/** Builds the optional keys of a mapping from a table of matchers or effects. */
export function shapeOf<Table extends Readonly<Record<string, TableEntry>>>(
  table: Table,
): { [Key in keyof Table]: z.ZodExactOptional<Table[Key]["schema"]> };
export function shapeOf(table: Readonly<Record<string, TableEntry>>): z.ZodRawShape {
  return Object.fromEntries(
    Object.entries(table).map(([key, { schema, summary }]) => [key, schema.exactOptional().describe(summary)]),
  );
}
