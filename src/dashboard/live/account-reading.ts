import { apply } from "../../gateway/account/apply.ts";
import { isBeginning, isRequestEvent, isTransactionEvent } from "../../gateway/account/event-guards.ts";
import { LedgerBook } from "../../gateway/account/readings/ledger.ts";
import { type RequestRow, rowOf } from "../../gateway/account/readings/requests.ts";
import type { AccountState } from "../../gateway/account/state.ts";
import { callbackState } from "../../gateway/account/readings/callback-status.ts";
import { isEvictable, type Transaction } from "../../gateway/account/transaction.ts";
import { orderContent } from "../../gateway/domain/order.ts";
import { type Instant, MINUTE } from "../../gateway/domain/time.ts";
import type { NumberedEvent } from "../../control/client/follow-journal.ts";
import type { FindingJson } from "../../verdict/shapes.ts";

/** A row of the transactions table: a request with its response, and the state of its transaction. */
export interface Row {
  /** Increases from row to row, even when the journal is cleared. */
  readonly place: number;
  readonly request: RequestRow;
  /** Set if the request was accepted. */
  readonly transaction?: Transaction;
  /** The requests for the same number, operation and content, each within ten minutes of the one before, oldest first; it is one of them. */
  readonly asked: readonly Row[];
  /** The number of the last event about the row. If it has grown, the row must be drawn again. */
  changedBy: number;
}

/** How many rows are kept while a page stays open all day. Older rows are in the account's export. They are dropped a tenth at a time. */
const MOST_ROWS = 50_000;

/** How many changes are kept. A reader that missed more than these rereads all rows. */
const MOST_CHANGES = 20_000;

/** How long after a request the same one counts as its repetition. */
const REPEATED_WITHIN = 10 * MINUTE;

/** How many repetitions before a request can matter to it. */
const MOST_REPETITIONS = 20;

/** Returns the requests that the row's may repeat, oldest first. */
export function askedBefore({ asked, request }: Pick<Row, "asked" | "request">): readonly Row[] {
  const index = asked.findLastIndex((one) => one.request === request);
  return asked.slice(Math.max(0, index - MOST_REPETITIONS), index);
}

/** Returns whether a request has lost its answer or its sale after it was accepted. */
function isLate({ transaction }: Row): boolean {
  return (
    transaction?.left !== undefined ||
    transaction?.progress.state === "failed" ||
    transaction?.progress.state === "reversed"
  );
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
  /** The latest requests for each content. */
  readonly #asked = new Map<string, Row[]>();
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
    else if (isTransactionEvent(event)) this.#change(event.requestId, number);
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

  #change(requestId: string, number: number): void {
    const row = this.#byId.get(requestId);
    if (row === undefined) return;
    row.changedBy = number;
    this.#note(row);
    this.#judge(row);
    // The latest stands for all of them.
    const latest = row.asked.at(-1) ?? row;
    latest.changedBy = number;
    if (latest === row) return;
    this.#note(latest);
    // Whether a repetition was sold twice depends on what became of those before it.
    if (isLate(row))
      for (const one of row.asked.slice(row.asked.lastIndexOf(row)).slice(1, MOST_REPETITIONS)) this.#note(one);
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
    this.#asked.clear();
    this.#lastMet.clear();
    this.#changesBefore = this.changes + 1;
    this.#changes.length = 0;
  }

  #addRow(request: RequestRow): Row {
    const transaction = this.state?.transactions.get(request.requestId);
    const asked = this.#askedLately(request);
    const place = (this.#places += 1);
    const row: Row = { place, request, ...(transaction && { transaction }), asked, changedBy: request.number };
    asked.push(row);
    this.rows.push(row);
    this.#byId.set(request.requestId, row);
    this.#note(row);
    for (const { scenario } of request.rules?.fired ?? []) this.#lastMet.set(scenario, request);
    if (this.rows.length >= this.#mostRows + Math.ceil(this.#mostRows / 10)) this.#trim();
    return row;
  }

  #askedLately({ order, at }: RequestRow): Row[] {
    if (order === undefined) return [];
    const content = orderContent(order);
    const before = this.#asked.get(content);
    const last = before?.at(-1)?.request.at ?? -Infinity;
    if (before !== undefined && at - last <= REPEATED_WITHIN) return before;
    const asked: Row[] = [];
    this.#asked.set(content, asked);
    return asked;
  }

  #forgetAskedBefore(oldest: number): void {
    for (const [content, asked] of this.#asked) if ((asked.at(-1)?.place ?? 0) < oldest) this.#asked.delete(content);
  }

  #trim(): void {
    this.#forgetAskedBefore(this.rows.at(-this.#mostRows)?.place ?? 0);
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
