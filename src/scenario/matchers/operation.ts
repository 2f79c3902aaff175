import * as z from "zod";
import { listing, OPERATIONS, type RuleOperation } from "./matcher.ts";

/** What a rule that names no operation is about. */
export const ORDERS: readonly RuleOperation[] = ["airtime", "sms"];

export const operation = listing(
  {
    key: "operation",
    summary: "airtime, sms or account-details: one, or a list. Default: airtime and sms.",
    byDefault: ORDERS,
  },
  { schema: z.enum(OPERATIONS), read: ({ subject }) => subject.operation },
);
