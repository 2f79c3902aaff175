import { Hono } from "hono";
import * as z from "zod";
import { CALLBACK_STATES, callbackState, explainCallback } from "../gateway/account/readings/callback-status.ts";
import { readTimeline } from "../gateway/account/readings/timeline.ts";
import { describeKnown } from "../gateway/account/readings/describe-order.ts";
import { describeCallbacks } from "../gateway/account/readings/describe-callbacks.ts";
import { type DeliveredOrder, readAccepted } from "../gateway/account/readings/request.ts";
import { isUnresolved, latestResult, type Resolved, type Transaction } from "../gateway/account/transaction.ts";
import { addProblem } from "../gateway/document/values.ts";
import { CARRIERS } from "../gateway/domain/carrier.ts";
import { splitSms } from "../gateway/domain/sms-parts.ts";
import { matchesGlob } from "../gateway/domain/glob.ts";
import type { RunningAccount } from "../gateway/engine/account.ts";
import { findTransaction, settleNow } from "../gateway/engine/commands.ts";
import { attemptJson, attemptShape } from "./callback-attempts.ts";
import { describeRoute } from "./describe-route.ts";
import type { AccountEnv } from "./env.ts";
import { answerInTurn } from "./in-turn.ts";
import { validBody, validQuery } from "./validate.ts";
import { kesAsNumber } from "../gateway/domain/kes.ts";
import { formatInstant } from "../gateway/domain/time.ts";
import { type Json, momentJson, moneyJson, optional } from "./json.ts";
import { isLongPage, listOf, newestFirst, listPage, pageQuery } from "./pages.ts";
import { momentInQuery } from "./values.ts";
import { entryJson, entryShape } from "./wallet.ts";
import { type Order, PRODUCTS } from "../gateway/domain/order.ts";

export const transactionShape = z.object({
  request_id: z.string(),
  operation: z.enum(PRODUCTS),
  state: z
    .enum(["queued", "succeeded", "failed", "reversed", "stuck"])
    .describe("reversed: it succeeded, and a scenario took it back with its charge."),
  phone_number: z.string(),
  carrier: z.enum(CARRIERS),
  ported: z.boolean(),
  amount: moneyJson.optional().describe("Airtime only."),
  message: z.string().optional().describe("SMS only, like the following fields up to parts."),
  sender_id: z.string().optional(),
  encoding: z.enum(["GSM-7", "UCS-2"]).optional(),
  characters: z.int().optional(),
  units: z.int().optional(),
  parts: z.int().optional(),
  hold: moneyJson.describe("KES held from acceptance to settlement."),
  charge: moneyJson.nullable().describe("null until it settles, like the next four fields."),
  unpaid: moneyJson.optional().describe("The part of a scenario's charge that could not be paid."),
  accepted_at: momentJson,
  settles_at: momentJson.nullable().describe("null if a scenario keeps it from settling by itself."),
  settled_at: momentJson.nullable(),
  reversed_at: momentJson
    .optional()
    .describe("When a success was taken back; result_code and charge are then those of the reversal."),
  result_code: z.int().nullable(),
  result_desc: z.string().nullable(),
  account_balance: moneyJson.nullable(),
  known: z
    .string()
    .describe(
      'What your backend can know from its answer and from acknowledged callbacks, in words: "nothing", "accepted", "refused with 429" (accepted, but answered with a refusal), "delivered", "failed", "delivered, then failed", "failed, then delivered", "delivered, then reversed", "unreadable: not JSON", "unknown id" (which nobody was given), "delivered, under an id it never got".',
    ),
  told: z
    .string()
    .nullable()
    .describe(
      'What callbacks told, in words: "delivered, 2×", "your receiver: 500", "never told", "not sent: no callback URL". null until it settles.',
    ),
  got: z
    .object({
      phone_number: z.string(),
      amount: moneyJson.optional(),
      message: z.string().optional(),
      parts: z.array(z.int()).optional().describe("The parts that arrived, if some were lost."),
    })
    .nullable()
    .describe("What the customer got, also if it was taken back later; null if nothing, or nothing yet."),
  paid: moneyJson.describe("What you paid so far; 0 until it settles."),
  traceparent: z.string().optional().describe("The traceparent of its request (W3C Trace Context)."),
  callback: z.object({ state: z.enum(CALLBACK_STATES), explanation: z.string() }),
});

export const ruleShape = z.object({ scenario: z.string(), rule: z.string() });
export const missedShape = ruleShape.extend({ matcher: z.string(), difference: z.string() });

export const transactionDetailShape = transactionShape.extend({
  client_waits: z.boolean().describe("Whether the client is still waiting for its acknowledgment."),
  timeline: z.array(
    z.object({
      at: momentJson,
      event: z.string(),
      title: z.string(),
      text: z.string(),
      tone: z.enum(["plain", "good", "warm", "bad"]).describe("Whether it went well."),
    }),
  ),
  ledger: z.array(entryShape),
  plan: z.object({
    rules: z.array(ruleShape).describe("The rules of scenarios that fired."),
    missed: missedShape.optional().describe("The closest rule that did not fire, and why."),
    result_code: z.int(),
    result_desc: z.string(),
  }),
  attempts: z.array(attemptShape),
  texts: z.array(z.string()).optional().describe("The text of each part of an SMS."),
});

/** Returns a transaction in its current state. */
function transactionJson(transaction: Transaction, account: RunningAccount): Json<typeof transactionShape> {
  const { accepted, progress } = transaction;
  const { requestId, order, carrier, ported, hold, at, plan, traits, measure } = accepted;
  const result = isUnresolved(progress) ? NO_RESULT : resultJson(progress);
  const reading = readAccepted(transaction);
  const now = account.now();
  return {
    request_id: requestId,
    operation: order.operation,
    state: progress.state,
    phone_number: order.phoneNumber,
    carrier,
    ported,
    ...orderedJson(order),
    ...measure,
    hold: kesAsNumber(hold),
    charge: result.charge,
    unpaid: result.unpaid,
    accepted_at: formatInstant(at),
    settles_at: plan.settleAfter === "never" ? null : formatInstant(at + plan.settleAfter),
    settled_at: result.settled_at,
    reversed_at: result.reversed_at,
    result_code: result.result_code,
    result_desc: result.result_desc,
    account_balance: result.account_balance,
    known: describeKnown(reading),
    told: describeCallbacks(transaction, now)?.text ?? null,
    got: optional(reading.delivered, deliveredJson) ?? null,
    paid: kesAsNumber(reading.charged),
    traceparent: traits?.traceparent,
    callback: {
      state: callbackState(transaction, now),
      explanation: explainCallback(transaction, now, account.state.settings.callbacks.timeout),
    },
  };
}

function orderedJson(order: Order): Pick<Json<typeof transactionShape>, "amount" | "message" | "sender_id"> {
  if (order.operation === "airtime") return { amount: kesAsNumber(order.amount) };
  return { message: order.message, sender_id: order.senderId };
}

type ResultJson = Pick<
  Json<typeof transactionShape>,
  "charge" | "unpaid" | "settled_at" | "reversed_at" | "result_code" | "result_desc" | "account_balance"
>;

const NO_RESULT: ResultJson = {
  charge: null,
  settled_at: null,
  result_code: null,
  result_desc: null,
  account_balance: null,
};

function resultJson(resolved: Resolved): ResultJson {
  const { charge, unpaid, at, resultCode, resultDesc, available } = latestResult(resolved);
  return {
    charge: kesAsNumber(charge),
    unpaid: optional(unpaid, kesAsNumber),
    settled_at: formatInstant(at),
    reversed_at: resolved.state === "reversed" ? formatInstant(resolved.reversed.at) : undefined,
    result_code: resultCode,
    result_desc: resultDesc,
    account_balance: kesAsNumber(available),
  };
}

function deliveredJson(delivered: DeliveredOrder): Json<typeof transactionShape>["got"] {
  const { phoneNumber: phone_number } = delivered;
  if ("amount" in delivered) return { phone_number, amount: kesAsNumber(delivered.amount) };
  return { phone_number, message: delivered.message, parts: delivered.parts };
}

const listQuery = z.strictObject({
  operation: z.enum(PRODUCTS).exactOptional(),
  phone_number: z.string().describe("The number, with * for any digits.").exactOptional(),
  state: z.enum(["queued", "succeeded", "failed", "reversed", "stuck"]).exactOptional(),
  since: momentInQuery.describe("Accepted at this moment or later, ISO 8601 with its zone.").exactOptional(),
  ...pageQuery,
});

const settlement = z
  .strictObject({ result_code: z.int().min(0).max(999_999).exactOptional(), result_desc: z.string().exactOptional() })
  .superRefine((written, context) => {
    if ("result_desc" in written && !("result_code" in written))
      addProblem(context, {
        problem: "needs a result_code together with result_desc",
        repair: "add it, or omit both for the planned result",
      });
  })
  .describe("The result. Default: the planned one.");

export const transactionCalls = new Hono<AccountEnv>()
  .get(
    "/transactions",
    describeRoute("List accepted requests, newest first", listOf(transactionShape)),
    validQuery(listQuery),
    answerInTurn(isLongPage),
    (c) => {
      const { account } = c.var;
      const wanted = c.req.valid("query");
      const found = [...account.state.transactions.values()].filter((transaction) => fits(transaction, wanted));
      const show = (transaction: Transaction) => transactionJson(transaction, account);
      return c.json(listPage(account, newestFirst(found), wanted, show));
    },
  )
  .get(
    "/transactions/:request_id",
    describeRoute("Read a transaction with everything that happened to it", transactionDetailShape),
    (c) => c.json(detailJson(c.var.account, c.req.param("request_id"))),
  )
  .post(
    "/transactions/:request_id/settle",
    describeRoute("Settle a queued or stuck transaction now", transactionDetailShape),
    validBody(settlement),
    (c) => {
      const { account } = c.var;
      const requestId = c.req.param("request_id");
      const { result_code: resultCode, result_desc: resultDesc = defaultText(account, resultCode) } =
        c.req.valid("json");
      settleNow(account, requestId, resultCode === undefined ? undefined : { resultCode, resultDesc });
      return c.json(detailJson(account, requestId));
    },
  );

function fits({ accepted, progress }: Transaction, wanted: z.output<typeof listQuery>): boolean {
  const { order, at } = accepted;
  if (wanted.operation !== undefined && order.operation !== wanted.operation) return false;
  if (wanted.phone_number !== undefined && !matchesGlob(wanted.phone_number, order.phoneNumber)) return false;
  if (wanted.state !== undefined && progress.state !== wanted.state) return false;
  return wanted.since === undefined || at >= wanted.since;
}

/** The default description of a result code given without one; a guess. */
function defaultText(account: RunningAccount, resultCode: number | undefined): string {
  return resultCode === account.gateway.result_codes.success ? "Settled by hand: success." : "Settled by hand: failed.";
}

function detailJson(account: RunningAccount, requestId: string): Json<typeof transactionDetailShape> {
  const transaction = findTransaction(account, requestId);
  const { index } = account.journal;
  const { progress } = transaction;
  const { plan, rules, order } = transaction.accepted;
  const timeline = readTimeline(transaction, index.eventsOf(requestId), {
    limit: account.state.settings.callbacks.timeout,
    form: account.gateway,
  });
  return {
    ...transactionJson(transaction, account),
    client_waits: account.clientWaits(requestId),
    timeline: timeline.map(({ at, event, title, text, tone }) => ({ at: formatInstant(at), event, title, text, tone })),
    ledger: index.ledgerOf(requestId).map(entryJson),
    plan: {
      rules: rules?.fired ?? [],
      missed: rules?.missed,
      result_code: plan.result.resultCode,
      result_desc: plan.result.resultDesc,
    },
    attempts: isUnresolved(progress) ? [] : progress.attempts.map((attempt) => attemptJson(account, attempt)),
    texts: order.operation === "sms" ? splitSms(order.message, account.gateway.ucs2_concatenated).texts : undefined,
  };
}
