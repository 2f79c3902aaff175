import { quote } from "../../document/describe-value.ts";
import type { Comparison, When } from "../../domain/scenario.ts";
import type { SmsMeasure } from "../../domain/sms-parts.ts";
import { printComparison, printOneOrMore, sayComparison } from "../say-values.ts";
import { compileComparison } from "./comparison.ts";
import { type Matcher, orderOf, sayDifference, sayList } from "./matcher.ts";

/** What a regular expression sees of a message: with no nested repeats, the work stays a small power of this. */
export const READ_BY_PATTERNS = 1_000;

export const message: Matcher<NonNullable<When["message"]>> = {
  key: "message",
  print: (wanted) => wanted,
  compile: ({ equals, contains = "", regex = "" }) => {
    const pattern = new RegExp(regex, "u");
    return ({ subject }) =>
      "order" in subject &&
      subject.order.operation === "sms" &&
      (equals === undefined || subject.order.message === equals) &&
      subject.order.message.includes(contains) &&
      (regex === "" || pattern.test(subject.order.message.slice(0, READ_BY_PATTERNS)));
  },
  difference: ({ equals, contains, regex }, ask) => {
    const order = orderOf(ask);
    const wanted = [
      equals !== undefined && quote(equals),
      contains !== undefined && `containing ${quote(contains)}`,
      regex !== undefined && `matching ${regex}`,
    ];
    return sayDifference("message", order?.operation === "sms" ? quote(order.message) : undefined, wanted.filter(Boolean).join(" and "));
  },
};

export const senderId: Matcher<readonly string[]> = {
  key: "sender_id",
  print: printOneOrMore,
  compile:
    (ids) =>
    ({ subject }) =>
      "order" in subject && subject.order.operation === "sms" && ids.includes(subject.order.senderId),
  difference: (ids, ask) => {
    const order = orderOf(ask);
    return sayDifference("sender_id", order?.operation === "sms" ? order.senderId : undefined, sayList(ids));
  },
};

export const encoding: Matcher<SmsMeasure["encoding"]> = {
  key: "encoding",
  print: (encoding) => (encoding === "GSM-7" ? "gsm7" : "ucs2"),
  compile:
    (encoding) =>
    ({ subject }) =>
      "measure" in subject && subject.measure?.encoding === encoding,
  difference: (encoding, { subject }) => sayDifference("encoding", "measure" in subject ? subject.measure?.encoding : undefined, encoding),
};

export const parts: Matcher<Comparison> = {
  key: "parts",
  print: (comparison) => printComparison(comparison, Number),
  compile: (comparison) => {
    const holds = compileComparison(comparison);
    return ({ subject }) => "measure" in subject && subject.measure !== undefined && holds(subject.measure.parts);
  },
  difference: (comparison, { subject }) => {
    const count = "measure" in subject ? subject.measure?.parts : undefined;
    return sayDifference("parts", count === undefined ? undefined : String(count), sayComparison(comparison, String));
  },
};
