import * as z from "zod";
import type { AccountState } from "../gateway/account/state.ts";
import type { Attempted, Copied } from "../gateway/account/events.ts";
import { isUnresolved, type Transaction } from "../gateway/account/transaction.ts";
import { readAttempt, sentBody } from "../gateway/account/readings/callback.ts";
import { describeMeaningWithCode } from "../gateway/account/readings/describe-order.ts";
import { meaningOf } from "../gateway/account/readings/request.ts";
import { outcome } from "../gateway/domain/schemas.ts";
import { isAcknowledged } from "../gateway/domain/callback-outcome.ts";
import { explainOutcome } from "../gateway/domain/explain-outcome.ts";
import type { GatewaySettings } from "../gateway/settings/gateway.ts";
import type { RunningAccount } from "../gateway/engine/account.ts";
import { type Json, momentJson, optional } from "./json.ts";
import { formatInstant } from "../gateway/domain/time.ts";
import { scriptedKeys } from "../gateway/scenario/effects/callback-flags.ts";
import { PRODUCTS } from "../gateway/domain/order.ts";

const outcomeShape = z.object({
  kind: z.enum(outcome.options.map(({ shape: { kind } }) => kind.value)),
  status: z.int().optional(),
  body: z.string().optional().describe("The first 4 KB of the answer."),
  reason: z.string().optional(),
  location: z.string().optional(),
});

export const attemptShape = z.object({
  request_id: z.string(),
  operation: z.enum(PRODUCTS).nullable().describe("null if the transaction was evicted."),
  delivery: z.int().describe("The number of the delivery that it belongs to; a resend is a new delivery."),
  attempt: z.int().describe("The number of the attempt within its transaction, from 1."),
  at: momentJson,
  url: z.string(),
  headers: z.record(z.string(), z.string()),
  body: z.string().nullable().describe("The body that was sent; null if the transaction was evicted."),
  outcome: outcomeShape,
  answered: z.int().nullable().describe("The status of the receiver's answer."),
  acknowledged: z.boolean(),
  said: z
    .string()
    .optional()
    .describe('What it told its receiver: "delivered, result 200", "unreadable: not JSON", "unknown id".'),
  explanation: z.string(),
  millis: z.number().describe("Wall time from the start to the answer."),
  retry_at: momentJson.optional(),
  possibly_repeated: z
    .literal(true)
    .optional()
    .describe("The sandbox stopped during the previous attempt, so the receiver may have the callback already."),
  traceparent: z.string().optional().describe("The traceparent of its request, if the request had one."),
  copy: z
    .object({ url: z.string(), outcome: outcomeShape, millis: z.number() })
    .optional()
    .describe("What came of the copy to the second URL."),
  scripted: z
    .array(z.string())
    .optional()
    .describe("How a scenario or an edited resend changed this delivery; empty for an unchanged repetition."),
});

/** Returns one callback attempt with what was sent and received. */
export function attemptJson(
  { state, gateway }: Pick<RunningAccount, "state" | "gateway">,
  attempted: Attempted,
): Json<typeof attemptShape> {
  const { requestId, delivery, attempt, at, url, headers, outcome, millis, scripted } = attempted;
  const transaction = state.transactions.get(requestId);
  const { operation, body, said, traceparent } =
    transaction === undefined ? EVICTED : readTransaction(transaction, attempted, gateway);
  return {
    request_id: requestId,
    operation,
    delivery,
    attempt,
    at: formatInstant(at),
    url,
    headers,
    body,
    outcome: outcomeJson(outcome),
    answered: "status" in outcome ? outcome.status : null,
    acknowledged: isAcknowledged(outcome),
    said,
    explanation: explainOutcome(outcome, { url, timeout: state.settings.callbacks.timeout }),
    millis,
    retry_at: optional(attempted.retryAt, formatInstant),
    possibly_repeated: attempted.possiblyRepeated,
    traceparent,
    copy: optional(copiedDeliveryOf(state, attempted), copyJson),
    scripted: optional(scripted, scriptedKeys),
  };
}

type OfTransaction = Pick<Json<typeof attemptShape>, "operation" | "body" | "said" | "traceparent">;

const EVICTED: OfTransaction = { operation: null, body: null };

function readTransaction(transaction: Transaction, attempted: Attempted, gateway: GatewaySettings): OfTransaction {
  const { order, traits } = transaction.accepted;
  return {
    operation: order.operation,
    body: sentBody(attempted, transaction, gateway),
    said: describeMeaningWithCode(meaningOf(readAttempt(attempted, transaction, gateway), transaction)),
    traceparent: traits?.traceparent,
  };
}

function copyJson({ url, outcome, millis }: Copied): Json<typeof attemptShape>["copy"] {
  return { url, outcome: outcomeJson(outcome), millis };
}

function outcomeJson(outcome: Json<typeof outcomeShape>): Json<typeof outcomeShape> {
  const { kind, status, body, reason, location } = outcome;
  return { kind, status, body, reason, location };
}

/** Returns what came of the copy of an attempt, if that is known. */
export function copiedDeliveryOf(
  { transactions }: AccountState,
  { requestId, attempt }: Attempted,
): Copied | undefined {
  const progress = transactions.get(requestId)?.progress;
  if (progress === undefined || isUnresolved(progress)) return undefined;
  return progress.attempts.find((one) => one.attempt === attempt)?.copy;
}
