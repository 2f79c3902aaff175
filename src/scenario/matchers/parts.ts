import * as z from "zod";
import {
  type Comparison,
  comparisonOf,
  compileComparison,
  coversComparison,
  describeComparison,
  findEmptyRange,
  printComparison,
} from "../comparison.ts";
import { describeDifference, type Matcher } from "./matcher.ts";

export const parts: Matcher<"parts", Comparison> = {
  key: "parts",
  summary: "How many parts the SMS has: a number, or a mapping of eq, gt, gte, lt and lte.",
  schema: comparisonOf(z.int().min(0).max(255)),
  operations: ["sms"],
  print: (comparison) => printComparison(comparison, Number),
  compile: (comparison) => {
    const holds = compileComparison(comparison);
    return ({ subject }) => "measure" in subject && subject.measure !== undefined && holds(subject.measure.parts);
  },
  difference: (comparison, { subject }) => {
    const count = "measure" in subject ? subject.measure?.parts : undefined;
    return describeDifference("parts", count === undefined ? undefined : String(count), describeComparison(comparison, String));
  },
  covers: coversComparison,
  findPointless: (comparison) => findEmptyRange(comparison, String),
};
