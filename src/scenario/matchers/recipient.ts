import { carrierValue } from "../../document/values.ts";
import type { Carrier } from "../../domain/carrier.ts";
import { oneOrMore, phonePatternValue, printOneOrMore } from "../values.ts";
import { compileGlobs } from "./globs.ts";
import { type Matcher, orderOf, sayDifference, sayList } from "./matcher.ts";

export const phoneNumber: Matcher<readonly string[]> = {
  key: "phone_number",
  summary: "The recipient: a number, a pattern like 25471*, or a list of them.",
  schema: oneOrMore(phonePatternValue),
  print: printOneOrMore,
  compile: (patterns) => {
    const matches = compileGlobs(patterns);
    return ({ subject }) => "order" in subject && matches(subject.order.phoneNumber);
  },
  difference: (patterns, ask) => sayDifference("phone_number", orderOf(ask)?.phoneNumber, sayList(patterns)),
};

export const carrier: Matcher<readonly Carrier[]> = {
  key: "carrier",
  summary: "The carrier that serves the recipient, ported or not: one, or a list.",
  schema: oneOrMore(carrierValue),
  print: printOneOrMore,
  compile:
    (carriers) =>
    ({ subject }) =>
      "carrier" in subject && carriers.includes(subject.carrier),
  difference: (carriers, { subject }) => sayDifference("carrier", "carrier" in subject ? subject.carrier : undefined, sayList(carriers)),
};
