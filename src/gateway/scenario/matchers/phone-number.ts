import { compileGlob } from "../../domain/glob.ts";
import { oneOrMore, phonePatternValue } from "../../document/values.ts";
import { describeMismatch, describeList, type Matcher, orderOf } from "./matcher.ts";

export const phoneNumber = {
  key: "phone_number",
  summary: "The recipient: a number, a pattern like 25471*, or a list of them.",
  schema: oneOrMore(phonePatternValue),
  operations: ["airtime", "sms"],
  compile: (patterns) => {
    const matches = compileGlobs(patterns);
    return ({ subject }) => "order" in subject && matches(subject.order.phoneNumber);
  },
  difference: (patterns, request) =>
    describeMismatch("phone_number", orderOf(request)?.phoneNumber, describeList(patterns)),
} satisfies Matcher<"phone_number", readonly string[]>;

/** Numbers in full are a single lookup. */
function compileGlobs(patterns: readonly string[]): (text: string) => boolean {
  const exact = new Set(patterns);
  const globs = patterns.filter((one) => one.includes("*")).map(compileGlob);
  return (text) => exact.has(text) || globs.some((matches) => matches(text));
}
