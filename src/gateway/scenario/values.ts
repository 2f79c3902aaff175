import * as z from "zod";
import { amountValue, complain, textThat } from "../document/values.ts";

/** Plain numbers are read as the text that was written, so the JSON Schema allows them, too. */
export const NUMBER_OR_TEXT = { type: ["string", "number"] };

/** Shillings, with or without quotes. */
export const shillingsValue = amountValue.meta(NUMBER_OR_TEXT);

/** Phone numbers, or patterns in which `*` matches anything. */
export const phonePatternValue = textThat(
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
export function someOf<Shape extends z.ZodRawShape>(mapping: z.ZodObject<Shape>): z.ZodObject<Shape> {
  const keys = Object.keys(mapping.shape);
  const check = (written: object, context: z.RefinementCtx): void => {
    if (Object.keys(written).length === 0)
      complain(context, { problem: "is empty", repair: `write at least one of ${keys.join(", ")}` });
  };
  return mapping.superRefine(check, UNLESS_WRONG);
}

/** Skips a check if the mapping already has other mistakes. */
export const UNLESS_WRONG = { when: ({ issues }: { issues: readonly unknown[] }): boolean => issues.length === 0 };

/** Writes cents as shillings: `50.00`. Takes a number, because those in a comparison have no brand. */
export function printCents(count: number): string {
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
