import type { EntryKind, LedgerLine } from "../../../gateway/account/readings/ledger.ts";
import type { Transaction } from "../../../gateway/account/transaction.ts";
import { cents, type Kes, showKes } from "../../../gateway/domain/kes.ts";
import { orderTitle } from "../../base/words.ts";
import type { Tone } from "../../base/words.ts";

export const ENTRY_WORDS: Readonly<
  Record<EntryKind, { readonly word: string; readonly tone: Tone; readonly says: string }>
> = {
  opening: { word: "Opening", tone: "plain", says: "The account began" },
  brought_forward: { word: "Brought forward", tone: "plain", says: "Older entries are no longer kept" },
  top_up: { word: "Top-up", tone: "good", says: "Paid in by paybill" },
  hold: { word: "Hold", tone: "warm", says: "Reserved" },
  charge: { word: "Charge", tone: "plain", says: "Charged" },
  refund: { word: "Refund", tone: "plain", says: "Returned by a reversal" },
  release: { word: "Release", tone: "plain", says: "Given back" },
  adjustment: { word: "Adjustment", tone: "plain", says: "The available balance was set" },
  fee: { word: "Fee", tone: "plain", says: "A sender ID was submitted" },
};

/**
 * Returns "Airtime to +254 712 345 678", or the request_id if the transaction is no longer kept. An entry without a request is described by
 * its kind.
 */
export function entryTitle({ kind, requestId }: LedgerLine, transaction: Transaction | undefined): string {
  if (transaction === undefined) return requestId === undefined ? ENTRY_WORDS[kind].says : requestId;
  return orderTitle(transaction.accepted.order);
}

/** Formats an amount with its sign, plus or minus. */
export function signed(amount: Kes): string {
  return `${amount < 0 ? "−" : "+"}${showKes(cents(Math.abs(amount)))}`;
}

/** Returns the entries that contain all words of a search, newest first. */
export function findEntries(
  entries: readonly LedgerLine[],
  search: string,
  find: (requestId: string) => Transaction | undefined,
): readonly LedgerLine[] {
  const wanted = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (wanted.length === 0) return entries.toReversed();
  const isFound = (text: string): boolean => wanted.every((word) => text.includes(word));
  return entries.filter((entry) => isFound(textOf(entry, find))).reverse();
}

function textOf(entry: LedgerLine, find: (requestId: string) => Transaction | undefined): string {
  const transaction = entry.requestId === undefined ? undefined : find(entry.requestId);
  const { word } = ENTRY_WORDS[entry.kind];
  const number = transaction?.accepted.order.phoneNumber ?? "";
  return `${word} ${entryTitle(entry, transaction)} ${number} ${entry.requestId ?? ""} ${signed(entry.amount)}`.toLowerCase();
}
