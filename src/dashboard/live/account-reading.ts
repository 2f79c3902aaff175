import { apply } from "../../account/apply.ts";
import { isBeginning, isRequestEvent } from "../../account/event-guards.ts";
import { LedgerBook } from "../../account/readings/ledger.ts";
import { type RequestRow, rowOf } from "../../account/readings/requests.ts";
import type { AccountState } from "../../account/state.ts";
import { callbackState } from "../../account/readings/callback-status.ts";
import { isTransactionEvent } from "../../account/readings/timeline.ts";
import { isOver, type Transaction } from "../../account/transaction.ts";
import type { Instant } from "../../domain/time.ts";
import type { NumberedEvent } from "../../control-client/follow-journal.ts";
import type { Finding } from "../../control-client/shapes.ts";

/** One line of the transactions' table: a request as it was answered, and what has become of it since. */
export interface Row {
  /** Grows from each row to the next, whatever happens to the journal. */
  readonly place: number;
  readonly request: RequestRow;
  /** Where it was accepted. */
  readonly transaction?: Transaction;
  /** The number of the last event about it: the same row says something else once this has grown. */
  changedBy: number;
}

/** Rows that are kept while a page stays open all day; older ones are in the account's export. A tenth of them goes at once. */
const MOST_ROWS = 50_000;

/** Changes that are kept for readings; one that missed more of them looks at all rows again. */
const MOST_CHANGES = 20_000;

/** An account as the page knows it: the fold of its journal, and the readings that grow with it. */
export class AccountReading {
  readonly rows: Row[] = [];
  ledger = new LedgerBook();
  /** By detector and subject, as each was last told. */
  readonly findings = new Map<string, Finding>();
  /** The request_ids of callbacks that were tried for the last time, and not delivered. */
  readonly undelivered = new Set<string>();
  readonly #byId = new Map<string, Row>();
  /** Each row as often as it was added, changed or let go. */
  readonly #changes: Row[] = [];
  #changesBefore = 0;
  #places = 0;
  /** The last request that each scenario's rules met. */
  readonly #lastMet = new Map<string, RequestRow>();
  state: AccountState | undefined;
  /** The number of the last event. */
  version = 0;
  readonly #mostRows: number;

  constructor(mostRows = MOST_ROWS) {
    this.#mostRows = mostRows;
  }

  take({ number, event }: NumberedEvent): void {
    if (number <= this.version) return;
    this.version = number;
    this.state = apply(isBeginning(event) ? undefined : this.state, event);
    this.ledger.enter(number, event);
    // What evicted events had shown is told just before the snapshot that stands for them.
    if (event.kind === "opened") this.findings.clear();
    if (isBeginning(event)) this.#begin(number, this.state);
    else if (isRequestEvent(event)) this.#addRow(rowOf(number, event));
    else if (isTransactionEvent(event)) this.#change(event.requestId, number);
  }

  find(requestId: string): Row | undefined {
    return this.#byId.get(requestId);
  }

  /** The request_id of the last request that a rule of the scenario met since then. */
  lastMet(scenario: string, since: Instant): string | undefined {
    const request = this.#lastMet.get(scenario);
    return request !== undefined && request.at >= since ? request.requestId : undefined;
  }

  /** How many changes there have been so far: where `changedSince` goes on. */
  get changes(): number {
    return this.#changesBefore + this.#changes.length;
  }

  /** The rows that were added, changed or let go since then, each once; undefined when all of them are to be looked at. */
  changedSince(changes: number): ReadonlySet<Row> | undefined {
    return changes < this.#changesBefore ? undefined : new Set(this.#changes.slice(changes - this.#changesBefore));
  }

  #change(requestId: string, number: number): void {
    const row = this.#byId.get(requestId);
    if (row === undefined) return;
    row.changedBy = number;
    this.#note(row);
    this.#judge(row);
  }

  #note(row: Row): void {
    this.#changes.push(row);
    if (this.#changes.length < 2 * MOST_CHANGES) return;
    this.#changes.splice(0, MOST_CHANGES);
    this.#changesBefore += MOST_CHANGES;
  }

  #judge({ request: { requestId }, transaction }: Row): void {
    if (transaction !== undefined && callbackState(transaction, transaction.accepted.at) === "undelivered") this.undelivered.add(requestId);
    else this.undelivered.delete(requestId);
  }

  notice(finding: Finding): void {
    this.findings.set(`${finding.id} ${finding.subject}`, finding);
  }

  /** Forgets all of it: another journal follows. */
  clear(): void {
    this.#clearRows();
    this.findings.clear();
    this.ledger = new LedgerBook();
    this.state = undefined;
    this.version = 0;
  }

  /** A snapshot brings the transactions that are not over; the requests before it cannot be looked up any more. */
  #begin(number: number, { transactions }: AccountState): void {
    this.#clearRows();
    for (const { accepted } of transactions.values()) this.#judge(this.#addRow(rowOf(number, accepted)));
  }

  /** No reading goes on from here. */
  #clearRows(): void {
    this.rows.length = 0;
    this.undelivered.clear();
    this.#byId.clear();
    this.#lastMet.clear();
    this.#changesBefore = this.changes + 1;
    this.#changes.length = 0;
  }

  #addRow(request: RequestRow): Row {
    const transaction = this.state?.transactions.get(request.requestId);
    const row = { place: (this.#places += 1), request, ...(transaction && { transaction }), changedBy: request.number };
    this.rows.push(row);
    this.#byId.set(request.requestId, row);
    this.#note(row);
    for (const { scenario } of request.rules?.fired ?? []) this.#lastMet.set(scenario, request);
    if (this.rows.length >= this.#mostRows + Math.ceil(this.#mostRows / 10)) this.#trim();
    return row;
  }

  #trim(): void {
    for (const row of this.rows.splice(0, this.rows.length - this.#mostRows)) {
      const { transaction, request } = row;
      this.#note(row);
      this.#byId.delete(request.requestId);
      this.undelivered.delete(request.requestId);
      if (transaction === undefined || isOver(transaction)) this.state?.transactions.delete(request.requestId);
    }
    this.ledger.entries.splice(0, this.ledger.entries.length - this.#mostRows * LEDGER_ENTRIES_EACH);
  }
}

/** Hold, release, charge. */
const LEDGER_ENTRIES_EACH = 3;
