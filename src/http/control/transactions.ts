import * as z from "zod";
import { readLedger } from "../../account/readings/ledger.ts";
import { readTimeline } from "../../account/readings/timeline.ts";
import { isUnsettled, type Transaction } from "../../account/transaction.ts";
import { matchesGlob } from "../../domain/glob.ts";
import { kesAsNumber } from "../../domain/kes.ts";
import { formatInstant } from "../../domain/time.ts";
import type { Account } from "../../engine/account.ts";
import { findTransaction, resend, settleNow } from "../../engine/commands.ts";
import type { World } from "../../engine/world.ts";
import { accountEndpoint, parameter } from "./account-endpoint.ts";
import { attemptJson } from "./attempt-json.ts";
import { complain } from "../../document/values.ts";
import { type Endpoint, NOTHING } from "./endpoint.ts";
import { transactionDetailShape, transactionJson, transactionShape } from "./transaction-json.ts";
import { limitValue, listOf, momentInQuery } from "./values.ts";
import { entryJson } from "./wallet.ts";

const listQuery = z.strictObject({
  operation: z.enum(["airtime", "sms"]).exactOptional(),
  phone_number: z.string().describe("The number, with * for any digits.").exactOptional(),
  state: z.enum(["queued", "succeeded", "failed", "stuck"]).exactOptional(),
  since: momentInQuery.describe("Accepted at this moment or later, ISO 8601 with its zone.").exactOptional(),
  limit: limitValue,
});

const settlement = z
  .strictObject({ result_code: z.int().min(0).max(999_999).exactOptional(), result_desc: z.string().exactOptional() })
  .superRefine((written, context) => {
    if ("result_desc" in written && !("result_code" in written))
      complain(context, { problem: "needs a result_code beside result_desc", repair: "add it, or leave both out for the planned result" });
  })
  .describe("How it ends; the planned result where nothing is said.");

const CALLED = "/accounts/{account}/transactions";
const ONE = `${CALLED}/{request_id}`;
const detail = { 200: { description: "The transaction", schema: transactionDetailShape } };

export function transactionEndpoints(world: World): Endpoint[] {
  return [
    accountEndpoint(
      world,
      {
        method: "get",
        path: CALLED,
        summary: "List accepted requests, newest first",
        query: listQuery,
        body: NOTHING,
        answers: { 200: { description: "Transactions", schema: listOf(transactionShape) } },
      },
      ({ account, query }) => listTransactions(account, query),
    ),
    accountEndpoint(
      world,
      { method: "get", path: ONE, summary: "Read one with all that happened to it", query: NOTHING, body: NOTHING, answers: detail },
      (call) => detailJson(call.account, parameter(call, "request_id")),
    ),
    ...commandEndpoints(world),
  ];
}

function commandEndpoints(world: World): Endpoint[] {
  return [
    accountEndpoint(
      world,
      {
        method: "post",
        path: `${ONE}/settle`,
        summary: "Settle a queued or stuck one now",
        query: NOTHING,
        body: settlement,
        answers: detail,
      },
      async (call) => settle(call.account, parameter(call, "request_id"), call.body),
    ),
    accountEndpoint(
      world,
      { method: "post", path: `${ONE}/resend`, summary: "Deliver its callback again", query: NOTHING, body: NOTHING, answers: detail },
      async (call) => {
        await resend(call.account, parameter(call, "request_id"));
        return detailJson(call.account, parameter(call, "request_id"));
      },
    ),
  ];
}

function listTransactions(account: Account, { limit, ...wanted }: z.output<typeof listQuery>): unknown {
  const found = [...account.state.transactions.values()].filter((transaction) => fits(transaction, wanted));
  const { timeout } = account.state.settings.callbacks;
  const items = found.toReversed().slice(0, limit);
  return { items: items.map((transaction) => transactionJson(transaction, timeout)), total: found.length, evicted: account.evicted };
}

function fits({ accepted, progress }: Transaction, wanted: Omit<z.output<typeof listQuery>, "limit">): boolean {
  const { order, at } = accepted;
  if (wanted.operation !== undefined && order.operation !== wanted.operation) return false;
  if (wanted.phone_number !== undefined && !matchesGlob(wanted.phone_number, order.phoneNumber)) return false;
  if (wanted.state !== undefined && progress.state !== wanted.state) return false;
  return wanted.since === undefined || at >= wanted.since;
}

async function settle(account: Account, requestId: string, body: z.output<typeof settlement>): Promise<unknown> {
  const { result_code: resultCode, result_desc: resultDesc = defaultText(account, resultCode) } = body;
  await settleNow(account, requestId, resultCode === undefined ? undefined : { resultCode, resultDesc });
  return detailJson(account, requestId);
}

/** A guess at words for a code that came without. */
function defaultText(account: Account, resultCode: number | undefined): string {
  return resultCode === account.gateway.resultCodes.success ? "Settled by hand: success." : "Settled by hand: failed.";
}

async function detailJson(account: Account, requestId: string): Promise<z.output<typeof transactionDetailShape>> {
  const transaction = findTransaction(account, requestId);
  const kept = await account.read();
  const { timeout } = account.state.settings.callbacks;
  const { plan, directed } = transaction.accepted;
  const { settleAfter, result, charge } = plan;
  return {
    ...transactionJson(transaction, timeout),
    timeline: readTimeline(transaction, kept, timeout).map((entry) => ({ ...entry, at: formatInstant(entry.at) })),
    ledger: readLedger(kept)
      .filter((entry) => entry.requestId === requestId)
      .map(entryJson),
    plan: {
      settle_after_ms: settleAfter === "never" ? null : settleAfter,
      rules: directed?.fired.map((rule) => ({ ...rule })) ?? [],
      ...(directed?.missed && { missed: directed.missed }),
      result_code: result.resultCode,
      result_desc: result.resultDesc,
      charge: kesAsNumber(charge),
    },
    attempts: isUnsettled(transaction.progress) ? [] : transaction.progress.attempts.map((attempt) => attemptJson(account, attempt)),
  };
}
