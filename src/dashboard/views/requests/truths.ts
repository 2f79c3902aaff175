import { isUnsettled, type Transaction } from "../../../gateway/account/transaction.ts";
import { isAcknowledged } from "../../../gateway/domain/callback-outcome.ts";
import { money } from "../../format.ts";
import type { Row } from "../../live/account-reading.ts";
import { isAnswerLost } from "./problems.ts";
import { gotWords } from "./words.ts";

/** Both sides of one order: what the backend can know of it, and what really happened. */
interface Truths {
  readonly knows: string;
  readonly got: string;
  readonly paid: string;
}

/** Returns undefined for a question about the account, which orders nothing. */
export function truthsOf(row: Pick<Row, "request" | "transaction">): Truths | undefined {
  const { request, transaction } = row;
  if (transaction !== undefined)
    return { knows: knownOf(row, transaction), got: receivedOf(transaction), paid: paidOf(transaction) };
  if (request.statusCode === 200) return undefined;
  const knows = isAnswerLost(row) ? "nothing" : `refused with ${request.statusCode}`;
  return { knows, got: "nothing", paid: "nothing" };
}

function knownOf(row: Pick<Row, "request" | "transaction">, { progress }: Transaction): string {
  const isReported = !isUnsettled(progress) && progress.attempts.some(({ outcome }) => isAcknowledged(outcome));
  if (isAnswerLost(row)) {
    if (isReported) return "a result for a request_id that it never got";
    const { text } = gotWords(row);
    return text === "no answer" ? "nothing" : `${text}, which is not the gateway's answer`;
  }
  if (isReported) return progress.state === "succeeded" ? "delivered" : "failed";
  return isUnsettled(progress) ? "accepted" : "accepted, not the result";
}

function receivedOf({ accepted: { order }, progress }: Transaction): string {
  if (progress.state === "queued") return "nothing yet";
  if (progress.state !== "succeeded") return "nothing";
  return order.operation === "sms" ? "the message" : `KES ${money(order.amount).replace(/\.00$/, "")}`;
}

function paidOf({ accepted, progress }: Transaction): string {
  if (isUnsettled(progress)) return `nothing yet, ${money(accepted.hold)} held`;
  return progress.settled.charge === 0 ? "nothing" : money(progress.settled.charge);
}
