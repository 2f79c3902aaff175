import { apply } from "../../gateway/account/apply.ts";
import { isBeginning, isRequestEvent, isTransactionEvent } from "../../gateway/account/event-guards.ts";
import { LedgerBook } from "../../gateway/account/readings/ledger.ts";
import { type RequestRow, rowOf } from "../../gateway/account/readings/requests.ts";
import { callbackState } from "../../gateway/account/readings/callback-status.ts";
import type { RequestReading } from "../../gateway/account/readings/request.ts";
import { RepeatableOrders, type SaleReading } from "../../gateway/account/readings/sale.ts";
import type { AccountState } from "../../gateway/account/state.ts";
import { isEvictable, type Transaction } from "../../gateway/account/transaction.ts";
import type { Instant } from "../../gateway/domain/time.ts";
import type { NumberedEvent } from "../../control/client/follow-journal.ts";
import type { ClientLeft, TransactionEvent } from "../../gateway/account/events.ts";
import type { FindingJson } from "../../verdict/endpoints/shapes.ts";

/** A sale with its requests, in their order. */
export interface Sale extends SaleReading {
  readonly requests: readonly RequestReading[];
}

/** A request with its response, and the state of its transaction. */
export interface Row {
  /** Increases from row to row, even when the journal is cleared. */
  readonly place: number;
  readonly request: RequestRow;
  /** Set if the request was accepted. */
  readonly transaction?: Transaction;
  /** Set if its client did not wait for its response, accepted or not. */
  left?: ClientLeft | undefined;
  /** The requests of its sale, oldest first; it is one of them. The latest stands for all of them. */
  sale: Row[];
  /** The number of the last event about the row. If it has grown, the row must be drawn again. */
  changedBy: number;
  /** The reading of its sale, if it stands for it; not that of another version. */
  read?: { readonly sale: Sale; readonly changedBy: number } | undefined;
}

/** How many rows are kept while a page stays open all day. Older rows are in the account's export. They are dropped a tenth at a time. */
const MOST_ROWS = 50_000;

/** How many changes are kept. A reader that missed more than these rereads all rows. */
const MOST_CHANGES = 20_000;

/** Returns whether a row stands for its sale. */
export function isLatest({ sale, place }: Row): boolean {
  return sale.at(-1)?.place === place;
}

/** The page's view of an account: its state, folded from the journal, and indexes that grow with it. */
export class AccountReading {
  readonly rows: Row[] = [];
  ledger = new LedgerBook();
  /** The latest version of each finding, by detector and subject. */
  readonly findings = new Map<string, FindingJson>();
  /** The request_ids of callbacks that were not delivered by their last attempt. */
  readonly undelivered = new Set<string>();
  readonly #byId = new Map<string, Row>();
  /** One entry for every time a row was added, changed or dropped. */
  readonly #changes: Row[] = [];
  #changesBefore = 0;
  #places = 0;
  #repeatable: RepeatableOrders;
  /** The last request matched by each scenario's rules. */
  readonly #lastMet = new Map<string, RequestRow>();
  state: AccountState | undefined;
  /** The number of the last event. */
  version = 0;
  /** How often the rows were cleared. */
  clearings = 0;
  readonly #mostRows: number;

  constructor(mostRows = MOST_ROWS) {
    this.#mostRows = mostRows;
    this.#repeatable = this.#noOrders();
  }

  take({ number, event }: NumberedEvent): void {
    if (number <= this.version) return;
    this.version = number;
    this.state = apply(isBeginning(event) ? undefined : this.state, event);
    this.ledger.enter(number, event);
    // Evicted events sent their findings just before the snapshot that replaces them.
    if (event.kind === "opened") this.findings.clear();
    if (isBeginning(event)) this.#begin(number, this.state);
    else if (isRequestEvent(event)) this.#addRow(rowOf(number, event));
    else if (isTransactionEvent(event)) this.#change(event, number);
  }

  find(requestId: string): Row | undefined {
    return this.#byId.get(requestId);
  }

  /** Returns the request_id of the last request that matched a rule of the scenario since the given moment. */
  lastMet(scenario: string, since: Instant): string | undefined {
    const request = this.#lastMet.get(scenario);
    return request !== undefined && request.at >= since ? request.requestId : undefined;
  }

  /** The number of changes so far, to be passed to `changedSince`. */
  get changes(): number {
    return this.#changesBefore + this.#changes.length;
  }

  /** Returns the rows that were added, changed or dropped since then, each once. Returns undefined if all rows must be reread. */
  changedSince(changes: number): ReadonlySet<Row> | undefined {
    return changes < this.#changesBefore ? undefined : new Set(this.#changes.slice(changes - this.#changesBefore));
  }

  #change(event: TransactionEvent, number: number): void {
    const row = this.#byId.get(event.requestId);
    if (row === undefined) return;
    row.changedBy = number;
    this.#judge(row);
    if (event.kind === "client-left") {
      row.left = event;
      this.#joinLater(row, number);
    }
    this.#noteSale(row.sale, number);
  }

  /** A row of the list changes with each request of its sale. */
  #noteSale(sale: readonly Row[], number: number): void {
    const latest = sale.at(-1);
    if (latest === undefined) return;
    latest.changedBy = number;
    this.#note(latest);
  }

  #note(row: Row): void {
    this.#changes.push(row);
    if (this.#changes.length < 2 * MOST_CHANGES) return;
    this.#changes.splice(0, MOST_CHANGES);
    this.#changesBefore += MOST_CHANGES;
  }

  #judge({ request: { requestId }, transaction }: Row): void {
    if (transaction !== undefined && callbackState(transaction, transaction.accepted.at) === "undelivered")
      this.undelivered.add(requestId);
    else this.undelivered.delete(requestId);
  }

  /** A finding that no longer holds has no occurrences left. */
  notice(finding: FindingJson): void {
    const key = `${finding.id} ${finding.subject}`;
    if (finding.count === 0) this.findings.delete(key);
    else this.findings.set(key, finding);
  }

  /** Forgets everything, because another journal follows. */
  clear(): void {
    this.#clearRows();
    this.findings.clear();
    this.ledger = new LedgerBook();
    this.state = undefined;
    this.version = 0;
  }

  /** Starts from a snapshot, which contains the unfinished transactions. Requests before it cannot be looked up any more. */
  #begin(number: number, { transactions }: AccountState): void {
    this.#clearRows();
    for (const { accepted } of transactions.values()) this.#judge(this.#addRow(rowOf(number, accepted)));
  }

  /** Clears the rows. Readers have to start over. */
  #clearRows(): void {
    this.clearings += 1;
    this.rows.length = 0;
    this.undelivered.clear();
    this.#byId.clear();
    this.#repeatable = this.#noOrders();
    this.#lastMet.clear();
    this.#changesBefore = this.changes + 1;
    this.#changes.length = 0;
  }

  #addRow(request: RequestRow): Row {
    const transaction = this.state?.transactions.get(request.requestId);
    const row: Row = {
      place: (this.#places += 1),
      request,
      ...(transaction && { transaction, left: transaction.left }),
      sale: [],
      changedBy: request.number,
    };
    row.sale = [row];
    this.rows.push(row);
    this.#byId.set(request.requestId, row);
    this.#joinEarlier(row, request.number);
    this.#repeatable.add(request.event);
    this.#note(row);
    for (const { scenario } of request.rules?.fired ?? []) this.#lastMet.set(scenario, request);
    if (this.rows.length >= this.#mostRows + Math.ceil(this.#mostRows / 10)) this.#trim();
    return row;
  }

  #noOrders(): RepeatableOrders {
    return new RepeatableOrders(({ requestId }) => this.#byId.get(requestId)?.left, this.#mostRows);
  }

  #joinEarlier(row: Row, number: number): void {
    const repeated = this.#repeatable.repeatedBy(row.request.event);
    const earlier = repeated && this.#byId.get(repeated.requestId);
    if (earlier !== undefined) this.#join(earlier, row, number);
  }

  /** A client that left may have sent its order again a moment before that was noticed. */
  #joinLater({ place, request }: Row, number: number): void {
    const later = this.rows.slice(this.rows.findLastIndex((row) => row.place === place) + 1);
    for (const row of later) if (row.request.event.content === request.event.content) this.#joinEarlier(row, number);
  }

  /** Makes one sale of two. A list that shows the one that stands for the earlier must let go of it. */
  #join({ sale }: Row, { sale: others }: Row, number: number): void {
    const [latest, first] = [sale.at(-1), others[0]];
    if (sale === others || latest === undefined || first === undefined) return;
    for (const one of [sale, others]) this.#noteSale(one, number);
    sale.push(...others);
    for (const one of others) one.sale = sale;
    if (latest.place > first.place) sale.sort((one, other) => one.place - other.place);
  }

  #trim(): void {
    for (const row of this.rows.splice(0, this.rows.length - this.#mostRows)) {
      const { transaction, request } = row;
      this.#note(row);
      this.#byId.delete(request.requestId);
      this.undelivered.delete(request.requestId);
      if (transaction === undefined || isEvictable(transaction)) this.state?.transactions.delete(request.requestId);
    }
    this.ledger.entries.splice(0, this.ledger.entries.length - this.#mostRows * LEDGER_ENTRIES_EACH);
  }
}

/** A hold, a release and a charge. */
const LEDGER_ENTRIES_EACH = 3;
