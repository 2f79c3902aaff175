import type { Carrier } from "../../domain/carrier.ts";
import { printOneOrMore } from "../say-values.ts";
import { compileGlobs } from "./globs.ts";
import { type Matcher, orderOf, sayDifference, sayList } from "./matcher.ts";

export const phoneNumber: Matcher<readonly string[]> = {
  key: "phone_number",
  print: printOneOrMore,
  compile: (patterns) => {
    const matches = compileGlobs(patterns);
    return ({ subject }) => "order" in subject && matches(subject.order.phoneNumber);
  },
  difference: (patterns, ask) => sayDifference("phone_number", orderOf(ask)?.phoneNumber, sayList(patterns)),
};

export const carrier: Matcher<readonly Carrier[]> = {
  key: "carrier",
  print: printOneOrMore,
  compile:
    (carriers) =>
    ({ subject }) =>
      "carrier" in subject && carriers.includes(subject.carrier),
  difference: (carriers, { subject }) => sayDifference("carrier", "carrier" in subject ? subject.carrier : undefined, sayList(carriers)),
};
