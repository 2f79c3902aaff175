import type { Transaction } from "../../../account/transaction.ts";
import type { Instant } from "../../../domain/time.ts";
import { dayOf } from "../../format.ts";
import type { Phone, Settled } from "./phone-book.ts";

/** One line of an opened phone, oldest first. */
export type Entry =
  | { readonly kind: "beginning" }
  | { readonly kind: "day"; readonly at: Instant }
  | { readonly kind: "settled"; readonly transaction: Settled }
  | { readonly kind: "on the way"; readonly count: number }
  | { readonly kind: "pending"; readonly transaction: Transaction };

/**
 * What a phone has got, day by day, as it came; below that what has no result yet. `isCut` when the journal does not
 * reach back to the first request.
 */
export function threadOf({ settled, pending }: Phone, isCut: boolean): readonly Entry[] {
  const entries: Entry[] = isCut ? [{ kind: "beginning" }] : [];
  let day = "";
  for (const transaction of settled) {
    const { at } = transaction.progress.settled;
    const today = dayOf(at);
    if (today !== day) entries.push({ kind: "day", at });
    day = today;
    entries.push({ kind: "settled", transaction });
  }
  if (pending.size > 0) entries.push({ kind: "on the way", count: pending.size });
  for (const transaction of pending) entries.push({ kind: "pending", transaction });
  return entries;
}

export function keyOf(entry: Entry): string {
  if (entry.kind === "day") return `day ${dayOf(entry.at)}`;
  return "transaction" in entry ? entry.transaction.accepted.requestId : entry.kind;
}
