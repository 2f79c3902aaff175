import * as z from "zod";
import { listing, OPERATIONS, type RuleOperation } from "./matcher.ts";

/** The operations of a rule that does not name any. */
export const ORDERS: readonly RuleOperation[] = ["airtime", "sms"];

export const operation = listing({
  key: "operation",
  summary: "airtime, sms or account-details: one, or a list. Default: airtime and sms.",
  schema: z.enum(OPERATIONS),
  read: ({ subject }) => subject.operation,
});
