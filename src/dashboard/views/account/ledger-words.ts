import type { EntryKind, LedgerLine } from "../../../gateway/account/readings/ledger.ts";
import type { Transaction } from "../../../gateway/account/transaction.ts";
import { cents, type Kes, showKes } from "../../../gateway/domain/kes.ts";
import { clockTime } from "../../base/format.ts";
import { orderTitle } from "../../base/words.ts";
import { numberForms, wordsOf } from "../../base/search-words.ts";

export const ENTRY_WORDS: Readonly<Record<EntryKind, { readonly word: string; readonly says: string }>> = {
  opening: { word: "Opening", says: "The account began" },
  brought_forward: { word: "Brought forward", says: "Older entries are no longer kept" },
  top_up: { word: "Top-up", says: "Paid in by paybill" },
  hold: { word: "Hold", says: "Reserved until the carrier's result" },
  charge: { word: "Charge", says: "Charged, and the hold released" },
  refund: { word: "Refund", says: "Returned by a reversal" },
  release: { word: "Released", says: "Not charged" },
  adjustment: { word: "Adjustment", says: "The balance was set" },
  fee: { word: "Fee", says: "A sender ID was submitted" },
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

/** Returns one entry for each event: the charge, of a settlement that also releases the hold. Its balances are those after the event. */
export function entryOfEach(entries: readonly LedgerLine[]): readonly LedgerLine[] {
  return entries.filter(({ number }, index) => number !== entries[index + 1]?.number);
}

/** Returns the entries whose rows show all words of a search, newest first. */
export function findEntries(
  entries: readonly LedgerLine[],
  search: string,
  find: (requestId: string) => Transaction | undefined,
): readonly LedgerLine[] {
  const wanted = wordsOf(search);
  if (wanted.length === 0) return entries.toReversed();
  const isFound = (text: string): boolean => wanted.every((word) => text.includes(word));
  return entries.filter((entry) => isFound(textOf(entry, find))).reverse();
}

/** What a row shows, and the number and the request_id, by which other tools know the order. */
function textOf(entry: LedgerLine, find: (requestId: string) => Transaction | undefined): string {
  const { kind, amount, balance, available, at, requestId = "" } = entry;
  const transaction = find(requestId);
  return [
    ENTRY_WORDS[kind].word,
    entryTitle(entry, transaction),
    ...numberForms(transaction?.accepted.order.phoneNumber ?? ""),
    requestId,
    signed(amount),
    // As people type it.
    signed(amount).replace("−", "-"),
    showKes(balance),
    showKes(available),
    clockTime(at),
  ]
    .join(" ")
    .toLowerCase();
}
