import {
  cents,
  type Kes,
  NO_MONEY,
  subtractKes,
  available,
  credit,
  debit,
  hold,
  release,
  type Wallet,
} from "../../domain/kes.ts";
import type { Instant } from "../../domain/time.ts";
import type { Settled } from "../events.ts";
import type { Snapshot, AccountEvent } from "../account-event.ts";
import { isUnresolved } from "../transaction.ts";
import { type JournalSlice, shownEvents } from "./journal-slice.ts";

/**
 * One movement of money. The signed amount of a hold or release applies to the available balance, that of any other entry to the balance.
 */
export interface LedgerLine {
  /** The number of the event that it comes from. A settlement that releases and charges has two entries. */
  readonly number: number;
  readonly at: Instant;
  readonly kind: EntryKind;
  readonly amount: Kes;
  readonly requestId?: string;
  /** After this entry. */
  readonly balance: Kes;
  readonly available: Kes;
}

export const ENTRY_KINDS = [
  "opening",
  "brought_forward",
  "top_up",
  "hold",
  "charge",
  "release",
  "refund",
  "adjustment",
  "fee",
] as const;
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** Reads the ledger from a journal, oldest entry first. If events were evicted, it starts with a `brought_forward` entry. */
export function readLedger(kept: JournalSlice): LedgerLine[] {
  const book = new LedgerBook();
  for (const { number, event } of shownEvents(kept)) book.enter(number, event);
  return book.entries;
}

/** Builds ledger entries from events while a journal is followed. */
export class LedgerBook {
  readonly entries: LedgerLine[] = [];
  readonly #holds = new Map<string, Kes>();
  #wallet: Wallet = { balance: NO_MONEY, held: NO_MONEY };

  enter(number: number, event: AccountEvent): void {
    const place = { number, at: event.at };
    switch (event.kind) {
      case "opened":
        return this.#begin({ balance: event.settings.balance, held: NO_MONEY }, { ...place, kind: "opening" });
      case "snapshot":
        return this.#bringForward(number, event);
      case "accepted":
        this.#holds.set(event.requestId, event.hold);
        this.#wallet = hold(this.#wallet, event.hold);
        return this.#write({ ...place, kind: "hold", amount: minus(event.hold), requestId: event.requestId });
      case "settled":
        return this.#settle(number, event);
      case "reversed":
        this.#wallet = credit(this.#wallet, event.refund);
        return this.#write({ ...place, kind: "refund", amount: event.refund, requestId: event.requestId });
      case "topped-up":
        this.#wallet = credit(this.#wallet, event.amount);
        return this.#write({ ...place, kind: "top_up", amount: event.amount });
      case "wallet-set":
        return this.#adjust(subtractKes(event.available, available(this.#wallet)), place);
      case "sender-id-submitted":
        this.#wallet = debit(this.#wallet, event.fee);
        return this.#write({ ...place, kind: "fee", amount: minus(event.fee) });
      default:
        return;
    }
  }

  #begin(wallet: Wallet, entry: Pick<LedgerLine, "number" | "at" | "kind">): void {
    this.entries.length = 0;
    this.#holds.clear();
    this.#wallet = wallet;
    this.entries.push({ ...entry, amount: wallet.balance, balance: wallet.balance, available: available(wallet) });
  }

  #bringForward(number: number, { at, state }: Snapshot): void {
    this.#begin(state.wallet, { number, at, kind: "brought_forward" });
    for (const { accepted, progress } of state.transactions) {
      if (isUnresolved(progress)) this.#holds.set(accepted.requestId, accepted.hold);
    }
  }

  #settle(number: number, { at, requestId, charge }: Settled): void {
    const held = this.#holds.get(requestId);
    if (held === undefined) return;
    this.#holds.delete(requestId);
    this.#wallet = release(this.#wallet, held);
    this.#write({ number, at, kind: "release", amount: held, requestId });
    this.#wallet = debit(this.#wallet, charge);
    this.#write({ number, at, kind: "charge", amount: minus(charge), requestId });
  }

  #adjust(amount: Kes, place: Pick<LedgerLine, "number" | "at">): void {
    this.#wallet = credit(this.#wallet, amount);
    this.entries.push({
      ...place,
      kind: "adjustment",
      amount,
      balance: this.#wallet.balance,
      available: available(this.#wallet),
    });
  }

  /** A movement of 0 leaves no entry. */
  #write(entry: Omit<LedgerLine, "balance" | "available">): void {
    if (entry.amount === 0) return;
    this.entries.push({ ...entry, balance: this.#wallet.balance, available: available(this.#wallet) });
  }
}

/** Never returns -0, which JSON and equality checks distinguish from 0. */
function minus(amount: Kes): Kes {
  return amount === 0 ? NO_MONEY : cents(-amount);
}
