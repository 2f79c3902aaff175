import { callbackState } from "../../../gateway/account/readings/callback-status.ts";
import { describeTold } from "../../../gateway/account/readings/describe-told.ts";
import { isOfKredo } from "../../../gateway/account/readings/answer.ts";
import type { RequestReading } from "../../../gateway/account/readings/request.ts";
import type { Transaction } from "../../../gateway/account/transaction.ts";
import { addKes, type Kes } from "../../../gateway/domain/kes.ts";
import type { Row } from "../../live/account-reading.ts";
import { saleOf } from "../../live/read-sale.ts";

/** What can be wrong with a sale, in the order of the pills. */
export const PROBLEMS = {
  attention: "Needs attention",
  lost: "Lost answer",
  refused: "Refused",
  failed: "Failed",
  callback: "Callback failed",
  held: "Never settles",
  unknown: "Sold unknown",
  "sold-twice": "Sold twice",
  pending: "Pending",
} as const;

export type RequestProblem = keyof typeof PROBLEMS;

/** Returns everything that is wrong with a sale, or still open. */
export function problemsOf(row: Sold): readonly RequestProblem[] {
  const { requests, isSoldTwice } = saleOf(row);
  const found = row.sale.flatMap(({ transaction }, index) => problemsOfOne(transaction, requests[index]));
  if (isSoldTwice) found.push("sold-twice");
  // What is sold twice is not counted once more.
  else if (hasUnknown(row)) found.push("unknown");
  return row.sale.length === 1 ? found : [...new Set(found)];
}

type Sold = Pick<Row, "sale">;

function problemsOfOne(transaction: Transaction | undefined, reading: RequestReading | undefined): RequestProblem[] {
  if (reading === undefined) return [];
  const found: RequestProblem[] = isLost(reading) ? ["lost"] : [];
  if (transaction !== undefined) found.push(...transactionProblems(transaction));
  else if (reading.answer.says === "refused") found.push("refused");
  if (needsAttention(transaction, found, reading)) found.push("attention");
  return found;
}

/** Returns whether a client could read no answer of the gateway, so that it cannot know what became of its request. */
export function isLost({ answer: { says } }: RequestReading): boolean {
  return says === "none" || says === "unclear";
}

/** Returns whether money is spent of which the backend knows nothing, and no callback will tell it. */
function hasUnknown(row: Sold): boolean {
  const { requests } = saleOf(row);
  return row.sale.some(({ request, transaction }, index) => {
    const reading = requests[index];
    return transaction !== undefined && reading && !isOfKredo(request.event) && isUnknown(transaction, reading);
  });
}

function isUnknown(
  transaction: Transaction,
  { isSold, isMisled, isTold, isSilenced, answer }: RequestReading,
): boolean {
  if (!isSold || isMisled || isTold || transaction.progress.state === "stuck") return false;
  const callback = callbackState(transaction, transaction.accepted.at);
  return answer.says !== "accepted" || isSilenced || callback === "undelivered" || callback === "delivered";
}

/** What a sale costs, or holds. */
export function priceOf(row: Sold): Kes {
  const { charged, held } = saleOf(row);
  return addKes(charged, held);
}

/** Returns why the price of a sale is at risk, if it is. No backend's money is in what Kredo itself sent. */
export function riskOf(row: Sold): "unknown" | "held" | "sold-twice" | undefined {
  if (row.sale.some(({ request }) => isOfKredo(request.event))) return undefined;
  if (saleOf(row).isSoldTwice) return "sold-twice";
  if (row.sale.some(({ transaction }) => transaction?.progress.state === "stuck")) return "held";
  return hasUnknown(row) ? "unknown" : undefined;
}

function transactionProblems(transaction: Transaction): RequestProblem[] {
  const { state } = transaction.progress;
  if (state === "stuck") return ["held"];
  const found: RequestProblem[] = state === "failed" || state === "reversed" ? ["failed"] : [];
  // Whether a callback waits or is in flight depends on the time; both are pending.
  const callback = callbackState(transaction, transaction.accepted.at);
  if (callback === "undelivered") found.push("callback");
  if (callback === "pending" || callback === "in_flight") found.push("pending");
  return found;
}

/** Returns whether the backend was not told what happened, or sent what no repetition can mend. */
function needsAttention(
  transaction: Transaction | undefined,
  found: readonly RequestProblem[],
  reading: RequestReading,
): boolean {
  if (found.includes("lost") || found.includes("held") || reading.isMisled) return true;
  if (transaction === undefined) return isMistaken(reading.answer);
  const { tone = "plain" } = describeTold(transaction, transaction.accepted.at, reading) ?? {};
  return tone === "warm" || tone === "bad";
}

function isMistaken(answer: RequestReading["answer"]): boolean {
  if (answer.says !== "refused") return false;
  return answer.code < 500 && answer.code !== 402 && answer.code !== 429;
}
