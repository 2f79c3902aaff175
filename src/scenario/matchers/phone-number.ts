import { oneOrMore, phonePatternValue } from "../values.ts";
import { compileGlobs } from "./globs.ts";
import { describeDifference, describeList, type Matcher, orderOf } from "./matcher.ts";

export const phoneNumber: Matcher<"phone_number", readonly string[]> = {
  key: "phone_number",
  summary: "The recipient: a number, a pattern like 25471*, or a list of them.",
  schema: oneOrMore(phonePatternValue),
  operations: ["airtime", "sms"],
  compile: (patterns) => {
    const matches = compileGlobs(patterns);
    return ({ subject }) => "order" in subject && matches(subject.order.phoneNumber);
  },
  difference: (patterns, request) =>
    describeDifference("phone_number", orderOf(request)?.phoneNumber, describeList(patterns)),
};
