import { callbackState } from "../../../control/client/callback-status.ts";
import type { AppliedRules, Breakage } from "../../../gateway/scenario/applied-rules.ts";
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
  if (transaction !== undefined) return transaction.progress.state === "stuck";
  const { statusCode } = request;
  return statusCode >= 400 && statusCode < 500 && statusCode !== 402 && statusCode !== 429;
}

/** Returns whether the client got no whole answer of the gateway itself: its connection broke, it left, or something else answered. */
export function isAnswerLost({ request: { rules, statusCode }, transaction }: Answered): boolean {
  if (statusCode === 0 || breaks(rules?.breakage)) return true;
  return transaction !== undefined && (transaction.left !== undefined || isReplaced(rules?.ack));
}

function isReplaced(ack: AppliedRules["ack"]): boolean {
  return ack !== undefined && (ack.body !== undefined || (ack.status ?? 200) >= 300);
}

/** Returns whether the client gets no whole response. `drip` is slow but whole. */
export function breaks(breakage: Breakage | undefined): boolean {
  return breakage !== undefined && breakage !== "drip";
}
