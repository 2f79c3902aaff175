import { callbackState } from "../../../gateway/account/readings/callback-status.ts";
import { type RequestReading, readRequest } from "../../../gateway/account/readings/request.ts";
import type { Transaction } from "../../../gateway/account/transaction.ts";
import type { Kes } from "../../../gateway/domain/kes.ts";
import { askedBefore, type Row } from "../../live/account-reading.ts";

/** What can be wrong with a request, in the order of the pills. */
export const PROBLEMS = {
  attention: "Needs attention",
  lost: "Lost answer",
  refused: "Refused",
  failed: "Failed",
  callback: "Callback failed",
  held: "Never settles",
  unknown: "Sold unknown",
  twice: "Sold twice",
  pending: "Pending",
} as const;

export type RequestProblem = keyof typeof PROBLEMS;

type Answered = Pick<Row, "request" | "transaction"> & Partial<Pick<Row, "asked">>;

/** Returns everything that is wrong with a request, or still open. */
export function problemsOf(row: Answered): readonly RequestProblem[] {
  const { request, transaction } = row;
  const reading = readRequest(request.event, transaction);
  const isLost = isAnswerLost(row, reading);
  const found: RequestProblem[] = isLost ? ["lost"] : [];
  if (transaction !== undefined) found.push(...transactionProblems(transaction));
  else if (!isLost && request.statusCode !== 200) found.push("refused");
  if (isUnknown(row, reading)) found.push("unknown");
  if (isSoldTwice(row, reading)) found.push("twice");
  if (needsAttention(row, found, reading)) found.push("attention");
  return found;
}

/** Returns whether money is spent of which the backend knows nothing, and no callback will tell it. */
function isUnknown({ transaction }: Answered, { isSold, answer, isTold, isSilenced }: RequestReading): boolean {
  if (transaction === undefined || !isSold || isTold || transaction.progress.state === "stuck") return false;
  const callback = callbackState(transaction, transaction.accepted.at);
  return answer.says !== "accepted" || isSilenced || callback === "undelivered" || callback === "delivered";
}

/** Returns whether it repeats an order that was sold too, but whose answer was lost. */
function isSoldTwice({ request, asked = [] }: Answered, { isSold }: RequestReading): boolean {
  if (!isSold) return false;
  return askedBefore({ request, asked }).some((before) => {
    const reading = readRequest(before.request.event, before.transaction);
    return reading.isSold && isAnswerLost(before, reading);
  });
}

/** What a request costs, or holds. */
export function priceOf({ request, transaction }: Answered): Kes {
  const { charged, held } = readRequest(request.event, transaction);
  return held > 0 ? held : charged;
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
  { request: { statusCode }, transaction }: Answered,
  found: readonly RequestProblem[],
  { known, isSilenced }: RequestReading,
): boolean {
  if (found.some((one) => one === "lost" || one === "callback" || one === "held")) return true;
  if (transaction !== undefined) return isSilenced || UNTOLD.has(known);
  return statusCode >= 400 && statusCode < 500 && statusCode !== 402 && statusCode !== 429;
}

/** What a receiver acknowledged, and what does not tell a backend the result. */
const UNTOLD: ReadonlySet<RequestReading["known"]> = new Set([
  "delivered_then_failed",
  "failed_then_delivered",
  "delivered_then_reversed",
  "unreadable",
  "unknown_id",
  "never_received",
]);

/** Returns whether the client cannot know whether its order was accepted: it got no answer, or something else answered an accepted order. */
export function isAnswerLost(
  { request, transaction }: Answered,
  { answer: { says } } = readRequest(request.event, transaction),
): boolean {
  return says === "none" || (says === "unclear" && transaction !== undefined);
}
