import * as z from "zod";
import { type Endpoint, ENDPOINTS, PRODUCTS } from "../../domain/order.ts";
import { listMatcher } from "./matcher.ts";

/** The operations of a rule that does not name any. */
export const ORDERS: readonly Endpoint[] = PRODUCTS;

export const operation = listMatcher({
  key: "operation",
  summary: "airtime, sms or account-details: one, or a list. Default: airtime and sms.",
  schema: z.enum(ENDPOINTS),
  read: ({ subject }) => subject.operation,
});
