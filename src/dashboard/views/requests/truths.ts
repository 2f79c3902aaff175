import { type Known, knownOf } from "../../../gateway/account/readings/known.ts";
import { isUnresolved, type Transaction } from "../../../gateway/account/transaction.ts";
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
    return { knows: knownWords(row, transaction), got: receivedOf(transaction), paid: paidOf(transaction) };
  if (request.statusCode === 200) return undefined;
  const knows = isAnswerLost(row) ? "nothing" : `refused with ${request.statusCode}`;
  return { knows, got: "nothing", paid: "nothing" };
}

function knownWords(row: Pick<Row, "request" | "transaction">, transaction: Transaction): string {
  const known = knownOf(transaction);
  if (known !== "nothing")
    return KNOWN[known] ?? (isUnresolved(transaction.progress) ? "accepted" : "accepted, not the result");
  const { text } = gotWords(row);
  return text === "no answer" ? "nothing" : `${text}, which is not the gateway's answer`;
}

const KNOWN: Readonly<Partial<Record<Known, string>>> = {
  delivered: "delivered",
  failed: "failed",
  both: "both delivered and failed",
  malformed: "accepted, and a callback that is not JSON",
  wrong_type: "accepted, and a callback that is not JSON by its type",
  unknown_id: "accepted, and a result for an unknown request_id",
  other_id: "a result for a request_id that it never got",
};

function receivedOf({ accepted: { order }, progress }: Transaction): string {
  if (progress.state === "queued") return "nothing yet";
  if (progress.state !== "succeeded") return "nothing";
  return order.operation === "sms" ? "the message" : `KES ${money(order.amount).replace(/\.00$/, "")}`;
}

function paidOf({ accepted, progress }: Transaction): string {
  if (isUnresolved(progress)) return `nothing yet, ${money(accepted.hold)} held`;
  return progress.settled.charge === 0 ? "nothing" : money(progress.settled.charge);
}
