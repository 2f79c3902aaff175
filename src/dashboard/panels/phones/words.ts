import type { Transaction } from "../../../gateway/account/transaction.ts";
import { isUnsettled } from "../../../gateway/account/transaction.ts";
import type { SmsMeasure } from "../../../gateway/domain/sms-parts.ts";
import type { Instant } from "../../../gateway/domain/time.ts";
import { money } from "../../format.ts";
import type { SettledTransaction } from "./phone-book.ts";

/** Describes the latest or the matching transaction, as one line in the list of phones. */
export function snippetOf(transaction: Transaction): string {
  const { order } = transaction.accepted;
  const text = order.operation === "sms" ? order.message.replace(/\s+/g, " ") : `Airtime of KES ${money(order.amount)}`;
  return `${STATES[transaction.progress.state]}${text}`;
}

const STATES = { queued: "On its way: ", stuck: "Never settles: ", failed: "Not delivered: ", succeeded: "" } as const;

/** Returns when it settled, or when it was accepted if it has not. */
export function momentOf({ accepted, progress }: Transaction): Instant {
  return isUnsettled(progress) ? accepted.at : progress.settled.at;
}

/** "2 parts, UCS-2". */
export function partsOf({ parts, encoding }: SmsMeasure): string {
  return `${parts} ${parts === 1 ? "part" : "parts"}, ${encoding}`;
}

/** "KES 0.80", or the held amount until the transaction has settled. */
export function costOf({ accepted, progress }: Transaction): string {
  return isUnsettled(progress) ? `KES ${money(accepted.hold)} held` : `KES ${money(progress.settled.charge)}`;
}

/** Describes one arrival, or several at once, for screen readers. */
export function sayArrivals(arrived: readonly SettledTransaction[], sayNumber: (number: string) => string): string {
  const newest = arrived.at(-1);
  if (newest === undefined) return "";
  const { order } = newest.accepted;
  const text =
    order.operation === "sms"
      ? `${order.senderId} to ${sayNumber(order.phoneNumber)}: ${shortened(order.message)}`
      : `Airtime of KES ${money(order.amount)} for ${sayNumber(order.phoneNumber)}`;
  return arrived.length === 1 ? text : `${arrived.length} arrived, latest: ${text}`;
}

const LONGEST_SAID = 200;

/** Cuts the text between characters, never within a surrogate pair. */
function shortened(text: string): string {
  const characters = Array.from(text);
  return characters.length <= LONGEST_SAID ? text : `${characters.slice(0, LONGEST_SAID).join("")}…`;
}
