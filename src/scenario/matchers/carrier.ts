import { carrierValue } from "../../document/values.ts";
import type { Carrier } from "../../domain/carrier.ts";
import { oneOrMore, printOneOrMore } from "../values.ts";
import { describeDifference, describeList, includesAll, type Matcher } from "./matcher.ts";

export const carrier: Matcher<"carrier", readonly Carrier[]> = {
  key: "carrier",
  summary: "The carrier that serves the recipient, ported or not: one, or a list.",
  schema: oneOrMore(carrierValue),
  operations: ["airtime", "sms"],
  print: printOneOrMore,
  compile:
    (carriers) =>
    ({ subject }) =>
      "carrier" in subject && carriers.includes(subject.carrier),
  difference: (carriers, { subject }) =>
    describeDifference("carrier", "carrier" in subject ? subject.carrier : undefined, describeList(carriers)),
  covers: includesAll,
};
