import { callbackState } from "../../gateway/account/readings/callback-status.ts";
import { describeCallbacks } from "../../gateway/account/readings/describe-callbacks.ts";
import { isOfKredo } from "../../gateway/account/readings/answer.ts";
import type { RequestReading } from "../../gateway/account/readings/request.ts";
import type { RequestRow } from "../../gateway/account/readings/requests.ts";
import type { SaleReading } from "../../gateway/account/readings/sale.ts";
import type { Transaction } from "../../gateway/account/transaction.ts";

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

/** Those that put the price of a sale at risk, the worst first. */
export const RISKS = ["sold-twice", "held", "unknown"] as const;
export type Risk = (typeof RISKS)[number];

interface Requested {
  readonly request: RequestRow;
  readonly transaction?: Transaction;
}

/** Returns everything that is wrong with a sale, or still open. */
export function readProblems(
  sale: readonly Requested[],
  requests: readonly RequestReading[],
  { isSoldTwice }: Pick<SaleReading, "isSoldTwice">,
): readonly RequestProblem[] {
  const found = new Set(requests.flatMap((reading, index) => problemsOfOne(sale[index]?.transaction, reading)));
  const isHeld = found.delete("held");
  // No backend sent it, so that none must mend it, nor lost money by it.
  if (sale.some(({ request }) => isOfKredo(request.event))) found.delete("attention");
  // Its money is counted once.
  else if (isSoldTwice) found.add("attention").add("sold-twice");
  else if (isHeld) found.add("held");
  else if (requests.some((reading, index) => isUnknown(sale[index], reading))) found.add("unknown");
  return [...found];
}

function problemsOfOne(transaction: Transaction | undefined, reading: RequestReading): RequestProblem[] {
  const found: RequestProblem[] = isLost(reading) ? ["lost"] : [];
  if (transaction !== undefined) found.push(...transactionProblems(transaction));
  else if (reading.answer.says === "refused") found.push("refused");
  if (needsAttention(transaction, found, reading)) found.push("attention");
  return found;
}

/** Returns whether a client could read no answer of the gateway, so that it cannot know what became of its request. */
function isLost({ answer: { says } }: RequestReading): boolean {
  return says === "none" || says === "unclear";
}

/** Returns whether money is spent of which the backend knows nothing, and no callback will tell it. */
function isUnknown(one: Requested | undefined, reading: RequestReading): boolean {
  const { isSold, isMisled, isNotified, isStuck, isSilenced, answer } = reading;
  if (one?.transaction === undefined) return false;
  if (answer.says === "accepted" && !isSilenced && !isToldInVain(one.transaction)) return false;
  return isSold && !isMisled && !isNotified && !isStuck;
}

function isToldInVain(transaction: Transaction): boolean {
  const callback = callbackState(transaction, transaction.accepted.at);
  return callback === "undelivered" || callback === "delivered";
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
  const { tone = "plain" } = describeCallbacks(transaction, transaction.accepted.at, reading) ?? {};
  return tone === "warm" || tone === "bad";
}

function isMistaken(answer: RequestReading["answer"]): boolean {
  if (answer.says !== "refused") return false;
  return answer.code < 500 && answer.code !== 402 && answer.code !== 429;
}
