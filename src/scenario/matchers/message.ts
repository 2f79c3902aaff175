import * as z from "zod";
import { quote } from "../../document/describe-value.ts";
import { compilePattern } from "../pattern.ts";
import { patternValue, someOf } from "../values.ts";
import { describeDifference, type Matcher, orderOf } from "./matcher.ts";

/** The most characters of a message that a regular expression sees. */
const READ_BY_PATTERNS = 1_000;

const schema = z.lazy(() =>
  someOf(
    z.strictObject({
      equals: z.string().min(1).exactOptional().describe("The exact text."),
      contains: z.string().min(1).exactOptional().describe("Part of the text; case-sensitive."),
      regex: patternValue
        .exactOptional()
        .describe(
          `A regular expression in RE2 syntax; (?i) ignores case. It sees the first ${READ_BY_PATTERNS} characters.`,
        ),
    }),
  ),
);

export const message: Matcher<"message", z.output<typeof schema>> = {
  key: "message",
  summary: "The SMS text: exact, containing a string, or matching a regular expression.",
  schema,
  operations: ["sms"],
  print: (wanted) => wanted,
  compile: ({ equals, contains = "", regex = "" }) => {
    const pattern = regex === "" ? undefined : compilePattern(regex);
    return ({ subject }) =>
      "order" in subject &&
      subject.order.operation === "sms" &&
      (equals === undefined || subject.order.message === equals) &&
      subject.order.message.includes(contains) &&
      (pattern === undefined || pattern.test(subject.order.message.slice(0, READ_BY_PATTERNS)));
  },
  difference: ({ equals, contains, regex }, request) => {
    const order = orderOf(request);
    const wanted = [
      equals !== undefined && quote(equals),
      contains !== undefined && `containing ${quote(contains)}`,
      regex !== undefined && `matching ${regex}`,
    ];
    const is = order?.operation === "sms" ? quote(order.message) : undefined;
    return describeDifference("message", is, wanted.filter(Boolean).join(" and "));
  },
};
