import * as z from "zod";

const common = {
  /** The customer's own number for the order. */
  id: z.string().min(1).optional(),
  /** Whose books it belongs to. */
  customer: z.string().default("walk-in"),
  phone_number: z.string().min(1),
};

/** What a customer of the backend sends. */
export const orderForm = z.discriminatedUnion("kind", [
  z.object({ kind: z.literal("airtime"), ...common, amount: z.union([z.string(), z.number()]) }),
  z.object({ kind: z.literal("sms"), ...common, message: z.string().min(1) }),
]);

export type OrderForm = z.output<typeof orderForm>;

export type OrderKind = OrderForm["kind"];

/** What the gateway reports by callback (section 2.4 of its document). Its numbers may be text. */
export const reportForm = z.object({
  request_id: z.string(),
  charge: z.coerce.number(),
  account_balance: z.coerce.number(),
  result_code: z.coerce.number(),
  result_desc: z.string(),
});

export type CarrierReport = z.output<typeof reportForm>;
