import * as z from "zod";
import { oneOrMore, printOneOrMore } from "../values.ts";
import { describeDifference, describeList, includesAll, type Matcher, OPERATIONS, type RuleOperation } from "./matcher.ts";

/** What a rule that names no operation is about. */
export const ORDERS: readonly RuleOperation[] = ["airtime", "sms"];

export const operation: Matcher<"operation", readonly RuleOperation[]> = {
  key: "operation",
  summary: "airtime, sms or account-details: one, or a list. Without it: airtime and sms.",
  schema: oneOrMore(z.enum(OPERATIONS)),
  byDefault: ORDERS,
  print: printOneOrMore,
  compile:
    (operations) =>
    ({ subject }) =>
      operations.includes(subject.operation),
  difference: (operations, { subject }) => describeDifference("operation", subject.operation, describeList(operations)),
  covers: includesAll,
};
