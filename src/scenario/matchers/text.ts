import * as z from "zod";
import { optionalKey } from "../../document/optional-key.ts";
import { quote } from "../../document/describe-value.ts";
import type { Comparison, When } from "../../domain/scenario.ts";
import type { SmsMeasure } from "../../domain/sms-parts.ts";
import { patternValue, READ_BY_PATTERNS } from "../safe-pattern.ts";
import { comparisonOf, oneOrMore, printComparison, printOneOrMore, sayComparison, senderIdText, someOf } from "../values.ts";
import { compileComparison } from "./comparison.ts";
import { type Matcher, orderOf, sayDifference, sayList } from "./matcher.ts";

export const message: Matcher<NonNullable<When["message"]>> = {
  key: "message",
  summary: "The SMS text: all of it, what it contains, or a regular expression that it matches.",
  schema: someOf(
    z.strictObject({
      equals: optionalKey("The whole text.", () => z.string().min(1)),
      contains: optionalKey("A part of the text, upper and lower case as written.", () => z.string().min(1)),
      regex: optionalKey(
        `A regular expression, as JavaScript has them with the flag u; it sees the first ${READ_BY_PATTERNS} characters.`,
        () => patternValue,
      ),
    }),
  ),
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
  summary: "The sender ID of an SMS: one, or a list.",
  schema: oneOrMore(senderIdText),
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

const SPELLINGS = { gsm7: "GSM-7", "GSM-7": "GSM-7", ucs2: "UCS-2", "UCS-2": "UCS-2" } as const;

export const encoding: Matcher<SmsMeasure["encoding"]> = {
  key: "encoding",
  summary: "How the SMS is encoded: gsm7 or ucs2.",
  schema: z.enum(["gsm7", "ucs2", "GSM-7", "UCS-2"]).transform((spelling) => SPELLINGS[spelling]),
  print: (encoding) => (encoding === "GSM-7" ? "gsm7" : "ucs2"),
  compile:
    (encoding) =>
    ({ subject }) =>
      "measure" in subject && subject.measure?.encoding === encoding,
  difference: (encoding, { subject }) => sayDifference("encoding", "measure" in subject ? subject.measure?.encoding : undefined, encoding),
};

export const parts: Matcher<Comparison> = {
  key: "parts",
  summary: "How many parts the SMS has: a number, or a mapping of eq, gt, gte, lt and lte.",
  schema: comparisonOf(z.int().min(0).max(255)),
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
