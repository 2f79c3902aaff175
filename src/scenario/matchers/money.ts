import type { Comparison } from "../../domain/scenario.ts";
import { comparisonOf, printCents, printComparison, sayComparison, shillingsValue } from "../values.ts";
import { compileComparison } from "./comparison.ts";
import { type Matcher, orderOf, sayDifference } from "./matcher.ts";

const shillings = comparisonOf(shillingsValue);

export const amount: Matcher<Comparison> = {
  key: "amount",
  summary: "The airtime amount in KES: a value, or a mapping of eq, gt, gte, lt and lte.",
  schema: shillings,
  print: (comparison) => printComparison(comparison, printCents),
  compile: (comparison) => {
    const holds = compileComparison(comparison);
    return ({ subject }) => subject.operation === "airtime" && subject.order.operation === "airtime" && holds(subject.order.amount);
  },
  difference: (comparison, ask) => {
    const order = orderOf(ask);
    return sayDifference("amount", order?.operation === "airtime" ? printCents(order.amount) : undefined, sayShillings(comparison));
  },
};

export const balance: Matcher<Comparison> = {
  key: "balance",
  summary: "What is available in the wallet before the request, in KES: a value, or a mapping of eq, gt, gte, lt and lte.",
  schema: shillings,
  print: (comparison) => printComparison(comparison, printCents),
  compile: (comparison) => {
    const holds = compileComparison(comparison);
    return ({ available }) => holds(available);
  },
  difference: (comparison, { available }) => sayDifference("balance", printCents(available), sayShillings(comparison)),
};

function sayShillings(comparison: Comparison): string {
  return sayComparison(comparison, printCents);
}
