import * as z from "zod";
import type { Accepted } from "../../account/events.ts";
import { callbackStatus } from "../../account/readings/callback-status.ts";
import { isUnsettled, type Transaction } from "../../account/transaction.ts";
import { CARRIERS } from "../../domain/carrier.ts";
import { kesAsNumber } from "../../domain/kes.ts";
import { formatInstant, type Millis } from "../../domain/time.ts";
import { attemptShape } from "./attempt-json.ts";
import { moment, money } from "./values.ts";
import { entryShape } from "./wallet.ts";

export const transactionShape = z.object({
  request_id: z.string(),
  operation: z.enum(["airtime", "sms"]),
  state: z.enum(["queued", "succeeded", "failed", "stuck"]),
  phone_number: z.string(),
  carrier: z.enum(CARRIERS),
  ported: z.boolean(),
  amount: money.optional().describe("Airtime alone."),
  message: z.string().optional().describe("SMS alone, as all that follows up to parts."),
  sender_id: z.string().optional(),
  encoding: z.enum(["GSM-7", "UCS-2"]).optional(),
  characters: z.int().optional(),
  units: z.int().optional(),
  parts: z.int().optional(),
  hold: money.describe("KES held from acceptance to settlement."),
  charge: money.nullable().describe("null until it settles, as the next four."),
  unpaid: money.optional().describe("What a scenario would have charged beyond what could be paid."),
  accepted_at: moment,
  settles_at: moment.nullable().describe("null where a scenario says that it never does by itself."),
  settled_at: moment.nullable(),
  result_code: z.int().nullable(),
  result_desc: z.string().nullable(),
  account_balance: money.nullable(),
  traceparent: z.string().optional().describe("Where its request stands in its client's trace (W3C Trace Context)."),
  callback: z.object({ state: z.enum(["pending", "delivered", "undelivered", "none"]), explanation: z.string() }),
});

export const ruleShape = z.object({ scenario: z.string(), rule: z.string() });
export const missedShape = ruleShape.extend({ matcher: z.string(), difference: z.string() });

export const transactionDetailShape = transactionShape.extend({
  timeline: z.array(z.object({ at: moment, event: z.string(), text: z.string() })),
  ledger: z.array(entryShape),
  plan: z.object({
    settle_after_ms: z.number().nullable(),
    rules: z.array(ruleShape).describe("The rules of scenarios that fired."),
    missed: missedShape.optional().describe("The nearest rule that did not fire, and why."),
    result_code: z.int(),
    result_desc: z.string(),
    charge: money,
  }),
  attempts: z.array(attemptShape),
});

/** A transaction; `timeout` is the account's limit for a receiver's answer. */
export function transactionJson(transaction: Transaction, timeout: Millis): z.output<typeof transactionShape> {
  const { accepted, progress } = transaction;
  const { requestId, order, carrier, ported, hold, at, plan, manner } = accepted;
  const settlesAt = plan.settleAfter === "never" ? "never" : at + plan.settleAfter;
  return {
    request_id: requestId,
    operation: order.operation,
    state: progress.state,
    phone_number: order.phoneNumber,
    carrier,
    ported,
    ...contentJson(accepted),
    hold: kesAsNumber(hold),
    accepted_at: formatInstant(at),
    settles_at: settlesAt === "never" ? null : formatInstant(settlesAt),
    ...resultJson(transaction),
    ...(manner?.traceparent !== undefined && { traceparent: manner.traceparent }),
    callback: callbackStatus(transaction, timeout),
  };
}

type Json = z.output<typeof transactionShape>;

function contentJson({
  order,
  measure,
}: Accepted): Pick<Json, "amount" | "message" | "sender_id" | "encoding" | "characters" | "units" | "parts"> {
  if (order.operation === "airtime") return { amount: kesAsNumber(order.amount) };
  return { message: order.message, sender_id: order.senderId, ...measure };
}

function resultJson({
  progress,
}: Transaction): Pick<Json, "charge" | "unpaid" | "settled_at" | "result_code" | "result_desc" | "account_balance"> {
  if (isUnsettled(progress)) return { charge: null, settled_at: null, result_code: null, result_desc: null, account_balance: null };
  const { charge, unpaid, at, resultCode, resultDesc, available } = progress.settled;
  return {
    charge: kesAsNumber(charge),
    ...(unpaid !== undefined && { unpaid: kesAsNumber(unpaid) }),
    settled_at: formatInstant(at),
    result_code: resultCode,
    result_desc: resultDesc,
    account_balance: kesAsNumber(available),
  };
}
