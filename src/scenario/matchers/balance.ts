import {
  type Comparison,
  comparisonOf,
  compileComparison,
  coversComparison,
  describeComparison,
  findEmptyRange,
  printComparison,
} from "../comparison.ts";
import { printCents, shillingsValue } from "../values.ts";
import { describeDifference, type Matcher } from "./matcher.ts";

export const balance: Matcher<"balance", Comparison> = {
  key: "balance",
  summary: "What is available in the wallet before the request, in KES: a value, or a mapping of eq, gt, gte, lt and lte.",
  schema: comparisonOf(shillingsValue),
  print: (comparison) => printComparison(comparison, printCents),
  compile: (comparison) => {
    const holds = compileComparison(comparison);
    return ({ available }) => holds(available);
  },
  difference: (comparison, { available }) =>
    describeDifference("balance", printCents(available), describeComparison(comparison, printCents)),
  covers: coversComparison,
  findPointless: (comparison) => findEmptyRange(comparison, printCents),
};
