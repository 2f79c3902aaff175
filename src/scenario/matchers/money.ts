import type { Comparison } from "../../domain/scenario.ts";
import { printCents, printComparison, sayComparison } from "../say-values.ts";
import { compileComparison } from "./comparison.ts";
import { type Matcher, orderOf, sayDifference } from "./matcher.ts";

export const amount: Matcher<Comparison> = {
  key: "amount",
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
