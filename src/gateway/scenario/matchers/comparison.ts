import * as z from "zod";
import { addProblem, atLeastOneKey } from "../../document/values.ts";

/** Bounds of a number; all of them must hold. */
export interface Comparison {
  readonly eq?: number;
  readonly gt?: number;
  readonly gte?: number;
  readonly lt?: number;
  readonly lte?: number;
}

/** A single value that must be equal, or a mapping of bounds. */
export function comparisonOf<Written>(
  number: z.ZodType<number, Written>,
): z.ZodType<Comparison, Written | { readonly [Bound in keyof Comparison]?: Written }> {
  const bounds = z.strictObject({
    eq: number.exactOptional().describe("Equal to this value."),
    gt: number.exactOptional().describe("Greater than this value."),
    gte: number.exactOptional().describe("This value or greater."),
    lt: number.exactOptional().describe("Less than this value."),
    lte: number.exactOptional().describe("This value or less."),
  });
  return z.union([number.transform((eq) => ({ eq })), atLeastOneKey(bounds).superRefine(refuseEmpty)]);
}

function refuseEmpty(bounds: Comparison, context: z.RefinementCtx): void {
  const { eq, gt = -Infinity, gte = -Infinity, lt = Infinity, lte = Infinity } = bounds;
  const [least, most] = [Math.max(gt, gte), Math.min(lt, lte)];
  const isBetween = least < most || (least === most && gt < least && lt > most);
  if (eq === undefined ? isBetween : compileComparison(bounds)(eq)) return;
  addProblem(context, {
    problem: "is a range that no number is in: the rule can never fire",
    repair: "change a bound",
  });
}

const WORDS = { eq: "", gt: "more than ", gte: "at least ", lt: "less than ", lte: "at most " } as const;

/** Describes a comparison: `at least 100.00 and less than 200.00`. */
export function describeComparison(comparison: Comparison, describe: (number: number) => string): string {
  const bounds = Object.entries(WORDS).flatMap(([name, words]) => {
    const bound = Object.entries(comparison).find(([key]) => key === name)?.[1];
    return bound === undefined ? [] : [words + describe(bound)];
  });
  return bounds.join(" and ");
}

/** Combines all bounds into one test. */
export function compileComparison({
  eq,
  gt = -Infinity,
  gte = -Infinity,
  lt = Infinity,
  lte = Infinity,
}: Comparison): (number: number) => boolean {
  return (number) =>
    (eq === undefined || number === eq) && number > gt && number >= gte && number < lt && number <= lte;
}
