import { callbackState } from "../../../control/client/callback-status.ts";
import { isAcknowledgmentLost, knownOf } from "../../../gateway/account/readings/known.ts";
import { isUnresolved, type Transaction } from "../../../gateway/account/transaction.ts";
import type { Row } from "../../live/account-reading.ts";

/** What can be wrong with a request, in the order of the pills. */
export const PROBLEMS = {
  attention: "Needs attention",
  lost: "Lost answer",
  refused: "Refused",
  failed: "Failed",
  callback: "Callback failed",
  pending: "Pending",
} as const;

export type RequestProblem = keyof typeof PROBLEMS;

type Answered = Pick<Row, "request" | "transaction">;

/** Returns everything that is wrong with a request, or still open. */
export function problemsOf(row: Answered): readonly RequestProblem[] {
  const { request, transaction } = row;
  const found: RequestProblem[] = [];
  const isLost = isAnswerLost(row);
  if (isLost) found.push("lost");
  if (transaction === undefined) {
    if (!isLost && request.statusCode !== 200) found.push("refused");
  } else {
    if (transaction.progress.state === "failed") found.push("failed");
    // Whether a callback waits or is in flight depends on the time; both are pending.
    const callback = callbackState(transaction, transaction.accepted.at);
    if (callback === "undelivered") found.push("callback");
    if (callback === "pending" || callback === "in_flight") found.push("pending");
  }
  if (needsAttention(row, found)) found.push("attention");
  return found;
}

/** Returns whether the backend was not told what happened, or sent what no repetition can mend. */
function needsAttention({ request, transaction }: Answered, found: readonly RequestProblem[]): boolean {
  if (found.includes("lost") || found.includes("callback")) return true;
  if (transaction !== undefined)
    return transaction.progress.state === "stuck" || isMistold(transaction) || isNeverTold(transaction);
  const { statusCode } = request;
  return statusCode >= 400 && statusCode < 500 && statusCode !== 402 && statusCode !== 429;
}

/** Returns whether the client got no whole answer of the gateway itself: its connection broke, it left, or something else answered. */
export function isAnswerLost({ request: { rules, statusCode }, transaction }: Answered): boolean {
  return statusCode === 0 || isAcknowledgmentLost(rules, transaction?.left !== undefined);
}

/** Returns whether the callbacks that arrived told no result, or two. A lost answer is a problem of its own. */
function isMistold(transaction: Transaction): boolean {
  return !["nothing", "accepted", "delivered", "failed", "other_id"].includes(knownOf(transaction));
}

/** Returns whether a scenario dropped the callback, and nobody has sent it since. */
export function isNeverTold({ accepted, progress }: Transaction): boolean {
  if (isUnresolved(progress) || progress.deliveries.length > 0) return false;
  // Without a URL, nothing would have been sent anyway.
  const { callback } = progress.settled;
  return "none" in callback && callback.none === accepted.plan.callback?.dropped;
}
