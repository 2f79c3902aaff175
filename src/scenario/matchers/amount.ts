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
import { describeDifference, type Matcher, orderOf } from "./matcher.ts";

export const amount: Matcher<"amount", Comparison> = {
  key: "amount",
  summary: "The airtime amount in KES: a value, or a mapping of eq, gt, gte, lt and lte.",
  schema: comparisonOf(shillingsValue),
  operations: ["airtime"],
  print: (comparison) => printComparison(comparison, printCents),
  compile: (comparison) => {
    const holds = compileComparison(comparison);
    return ({ subject }) => subject.operation === "airtime" && subject.order.operation === "airtime" && holds(subject.order.amount);
  },
  difference: (comparison, request) => {
    const order = orderOf(request);
    const is = order?.operation === "airtime" ? printCents(order.amount) : undefined;
    return describeDifference("amount", is, describeComparison(comparison, printCents));
  },
  covers: coversComparison,
  findPointless: (comparison) => findEmptyRange(comparison, printCents),
};
