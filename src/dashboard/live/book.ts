import { apply } from "../../account/apply.ts";
import { isBeginning, isRequestEvent } from "../../account/event-guards.ts";
import { LedgerBook } from "../../account/readings/ledger.ts";
import { type RequestRow, rowOf } from "../../account/readings/requests.ts";
import type { AccountState } from "../../account/state.ts";
import { callbackState } from "../../account/readings/callback-status.ts";
import { isTransactionEvent } from "../../account/readings/timeline.ts";
import { isOver, type Transaction } from "../../account/transaction.ts";
import type { NumberedEvent } from "../../control-client/follow-journal.ts";
import type { Finding } from "../../control-client/shapes.ts";

/** One line of the transactions' table: a request as it was answered, and what has become of it since. */
export interface Row {
  readonly request: RequestRow;
  /** Where it was accepted. */
  readonly transaction?: Transaction;
}

/** Rows that are kept while a page stays open all day; older ones are in the account's export. */
const MOST_ROWS = 50_000;
const TRIMMED_AT_ONCE = 5_000;

/** An account as the page knows it: the fold of its journal, and the readings that grow with it. */
export class Book {
  readonly rows: Row[] = [];
  ledger = new LedgerBook();
  /** By detector and subject, as each was last told. */
  readonly findings = new Map<string, Finding>();
  /** The request_ids of callbacks that were tried for the last time, and not delivered. */
  readonly undelivered = new Set<string>();
  state: AccountState | undefined;
  /** The number of the last event. */
  version = 0;

  take({ number, event }: NumberedEvent): void {
    if (number <= this.version) return;
    this.version = number;
    this.state = apply(isBeginning(event) ? undefined : this.state, event);
    this.ledger.enter(number, event);
    // What evicted events had shown is told just before the snapshot that stands for them.
    if (event.kind === "opened") this.findings.clear();
    if (isBeginning(event)) this.#begin(number, this.state);
    else if (isRequestEvent(event)) this.#addRow({ request: rowOf(number, event) });
    else if (isTransactionEvent(event)) this.#judge(event.requestId);
  }

  #judge(requestId: string): void {
    const transaction = this.state?.transactions.get(requestId);
    if (transaction !== undefined && callbackState(transaction, transaction.accepted.at) === "undelivered") this.undelivered.add(requestId);
    else this.undelivered.delete(requestId);
  }

  notice(finding: Finding): void {
    this.findings.set(`${finding.id} ${finding.subject}`, finding);
  }

  /** Forgets all of it: another journal follows. */
  clear(): void {
    this.rows.length = 0;
    this.undelivered.clear();
    this.findings.clear();
    this.ledger = new LedgerBook();
    this.state = undefined;
    this.version = 0;
  }

  /** A snapshot brings the transactions that are not over; the requests before it cannot be looked up any more. */
  #begin(number: number, { transactions }: AccountState): void {
    this.rows.length = 0;
    this.undelivered.clear();
    for (const { accepted } of transactions.values()) {
      this.#addRow({ request: rowOf(number, accepted) });
      this.#judge(accepted.requestId);
    }
  }

  #addRow({ request }: Row): void {
    const transaction = this.state?.transactions.get(request.requestId);
    this.rows.push({ request, ...(transaction && { transaction }) });
    if (this.rows.length >= MOST_ROWS + TRIMMED_AT_ONCE) this.#trim();
  }

  #trim(): void {
    for (const { transaction, request } of this.rows.splice(0, TRIMMED_AT_ONCE)) {
      this.undelivered.delete(request.requestId);
      if (transaction === undefined || isOver(transaction)) this.state?.transactions.delete(request.requestId);
    }
    this.ledger.entries.splice(0, this.ledger.entries.length - MOST_ROWS * LEDGER_ENTRIES_EACH);
  }
}

/** Hold, release, charge. */
const LEDGER_ENTRIES_EACH = 3;
