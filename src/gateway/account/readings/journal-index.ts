import { isBeginning, isRequestEvent, isTransactionEvent } from "../event-guards.ts";
import type { TransactionEvent } from "../events.ts";
import type { JournalSlice, Numbered } from "./journal-slice.ts";
import { shownEvents } from "./journal-slice.ts";
import { LedgerBook, type LedgerLine } from "./ledger.ts";
import { Inbox, type DeliveredMessage } from "./messages.ts";
import { type RequestRow, rowOf } from "./requests.ts";

/** A journal's requests, ledger and messages, folded as the journal grows and indexed by request and by number. */
export class JournalIndex {
  readonly requests: RequestRow[] = [];
  readonly #book = new LedgerBook();
  readonly #inbox = new Inbox();
  readonly #byRequest = new Map<string, Numbered<TransactionEvent>[]>();
  #last = 0;

  /** The number of the last event read. */
  get last(): number {
    return this.#last;
  }

  get ledger(): readonly LedgerLine[] {
    return this.#book.entries;
  }

  get messages(): readonly DeliveredMessage[] {
    return this.#inbox.messages;
  }

  take(kept: JournalSlice): void {
    for (const { number, event } of shownEvents(kept)) {
      if (isBeginning(event)) this.#startOver();
      if (isRequestEvent(event)) this.requests.push(rowOf(number, event));
      if (isTransactionEvent(event)) this.#note({ number, event });
      this.#book.enter(number, event);
      this.#inbox.take(number, event);
      this.#last = number;
    }
  }

  /** The events of a transaction, oldest first. */
  eventsOf(requestId: string): TransactionEvent[] {
    return (this.#byRequest.get(requestId) ?? []).map(({ event }) => event);
  }

  ledgerOf(requestId: string): LedgerLine[] {
    const numbers = (this.#byRequest.get(requestId) ?? []).map(({ number }) => number);
    return numbers.flatMap((number) =>
      this.ledger.slice(placeAfter(this.ledger, number - 1), placeAfter(this.ledger, number)),
    );
  }

  #startOver(): void {
    this.requests.length = 0;
    this.#byRequest.clear();
  }

  #note(noted: Numbered<TransactionEvent>): void {
    const others = this.#byRequest.get(noted.event.requestId);
    if (others === undefined) this.#byRequest.set(noted.event.requestId, [noted]);
    else others.push(noted);
  }
}

/** Returns the place of the first row of a later event. Rows are in the order of their events. */
function placeAfter(rows: readonly { readonly number: number }[], number: number): number {
  let [from, to] = [0, rows.length];
  while (from < to) {
    const middle = (from + to) >>> 1;
    if ((rows[middle]?.number ?? number) > number) to = middle;
    else from = middle + 1;
  }
  return from;
}
