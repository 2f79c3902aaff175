import { apply } from "../../gateway/account/apply.ts";
import { isBeginning, isRequestEvent, isTransactionEvent } from "../../gateway/account/event-guards.ts";
import { isOfKredo } from "../../gateway/account/readings/answer.ts";
import { LedgerBook } from "../../gateway/account/readings/ledger.ts";
import { type RequestRow, rowOf } from "../../gateway/account/readings/requests.ts";
import { callbackState } from "../../gateway/account/readings/callback-status.ts";
import { RecentMap } from "../../gateway/account/readings/recent-map.ts";
import { RepeatableOrders } from "../../gateway/account/readings/sale.ts";
import type { AccountState } from "../../gateway/account/state.ts";
import { isEvictable } from "../../gateway/account/transaction.ts";
import { isAcknowledged } from "../../gateway/domain/callback-outcome.ts";
import { addKes, type Kes, NO_MONEY } from "../../gateway/domain/kes.ts";
import type { Instant } from "../../gateway/domain/time.ts";
import type { NumberedEvent } from "../../control/client/follow-journal.ts";
import type { TransactionEvent } from "../../gateway/account/events.ts";
import type { FindingJson } from "../../verdict/endpoints/shapes.ts";
import type { Risk } from "./problems.ts";
import { isLatest, priceOf, moneyRiskOf, type Row } from "./sales.ts";

/**
 * How many of the latest requests are kept, how many ledger entries, and how many older requests that are unfinished or at risk. The
 * account's export has all.
 */
const MAX_ROWS = 2_000;

/** How many times as many undelivered callbacks of older requests are known by their ids. A journal keeps about as many requests. */
const UNDELIVERED_EACH = 10;

/** The page's view of an account: its state, folded from the journal, and its latest requests. */
export class AccountReading {
  /** Oldest first. */
  readonly rows: Row[] = [];
  ledger = new LedgerBook();
  /** How many events the ledger has had entries of, of which the latest are kept. */
  entryCount = 0;
  /** The latest version of each finding, by detector and subject. */
  readonly findings = new Map<string, FindingJson>();
  readonly #byId = new Map<string, Row>();
  #places = 0;
  #repeatable: RepeatableOrders;
  /** The last request matched by each scenario's rules. */
  readonly #lastMet = new Map<string, RequestRow>();
  /** How often each rule has fired since its scenario began. */
  readonly #fired = new Map<string, { readonly since: Instant; readonly count: number }>();
  /** Of requests that are no longer kept, how many callbacks were not delivered, and the request_ids of the latest of them. */
  #undeliveredBefore = 0;
  #undeliveredIds: RecentMap<string, true>;
  /** The part of `atRisk` that is of requests no longer kept. */
  readonly riskBefore = new Map<Risk, Kes>();
  state: AccountState | undefined;
  /** The number of the last event. */
  version = 0;
  /** How often the rows were cleared. */
  clearings = 0;
  /** The number of requests that the journal no longer contains. */
  evicted = 0;
  readonly #mostRows: number;

  constructor(mostRows = MAX_ROWS) {
    this.#mostRows = mostRows;
    this.#repeatable = this.#noOrders();
    this.#undeliveredIds = this.#noIds();
  }

  take({ number, event }: NumberedEvent): void {
    if (number <= this.version) return;
    this.version = number;
    this.state = apply(isBeginning(event) ? undefined : this.state, event);
    // Evicted events sent their findings just before the snapshot that replaces them.
    if (event.kind === "opened") this.findings.clear();
    if (isBeginning(event)) this.#begin(number, this.state);
    else if (isRequestEvent(event)) this.#addRow(rowOf(number, event));
    else if (isTransactionEvent(event)) this.#change(event, number);
    this.#enter(number, event);
  }

  #enter(number: number, event: NumberedEvent["event"]): void {
    const { entries } = this.ledger;
    const before = isBeginning(event) ? 0 : entries.length;
    this.ledger.enter(number, event);
    if (entries.length > before) this.entryCount += 1;
    if (entries.length > this.#mostRows) entries.splice(0, entries.length - this.#mostRows);
  }

  find(requestId: string): Row | undefined {
    return this.#byId.get(requestId);
  }

  /** The number of requests that are in the journal, but no longer in the page. */
  get older(): number {
    return Math.max(0, (this.state?.requests ?? 0) - this.evicted - this.rows.length);
  }

  /** The number of callbacks that were not delivered by their last attempt. */
  get undelivered(): number {
    return this.rows.filter(isUndelivered).length + this.#undeliveredBefore;
  }

  /** The price of all sales at risk, by what is wrong with them. */
  get atRisk(): ReadonlyMap<Risk, Kes> {
    const sums = new Map(this.riskBefore);
    for (const row of this.rows) addRisk(sums, row);
    return sums;
  }

  /** Returns the request_id of the last request that matched a rule of the scenario since the given moment. */
  lastMet(scenario: string, since: Instant): string | undefined {
    const request = this.#lastMet.get(scenario);
    return request !== undefined && request.at >= since ? request.requestId : undefined;
  }

  /** Returns how often a rule of an active scenario has fired since that began. */
  countFired(scenario: string, rule: string): number {
    const fired = this.#fired.get(`${scenario}: ${rule}`);
    return fired?.since === this.#sinceOf(scenario) ? (fired?.count ?? 0) : 0;
  }

  #sinceOf(name: string): Instant | undefined {
    return this.state?.scenarios.find(({ scenario }) => scenario.name === name)?.since;
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
  #begin(number: number, { transactions, requests }: AccountState): void {
    this.#clearRows();
    this.evicted = Math.max(0, requests - transactions.size);
    for (const { accepted } of transactions.values()) this.#addRow(rowOf(number, accepted));
  }

  #clearRows(): void {
    this.clearings += 1;
    this.rows.length = 0;
    this.entryCount = 0;
    this.#byId.clear();
    this.#repeatable = this.#noOrders();
    this.#lastMet.clear();
    this.#fired.clear();
    this.#undeliveredBefore = 0;
    this.#undeliveredIds = this.#noIds();
    this.riskBefore.clear();
  }

  #noOrders(): RepeatableOrders {
    return new RepeatableOrders(({ requestId }) => this.#byId.get(requestId)?.left);
  }

  #noIds(): RecentMap<string, true> {
    return new RecentMap(UNDELIVERED_EACH * this.#mostRows);
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
    this.#countRules(request);
    this.#trim();
    return row;
  }

  #countRules(request: RequestRow): void {
    const { at, rules } = request;
    for (const { scenario: name, rule } of rules?.fired ?? []) {
      this.#lastMet.set(name, request);
      const since = this.#sinceOf(name);
      if (since === undefined || at < since) continue;
      this.#fired.set(`${name}: ${rule}`, { since, count: this.countFired(name, rule) + 1 });
    }
  }

  #change(event: TransactionEvent, number: number): void {
    const row = this.#byId.get(event.requestId);
    if (row === undefined) return this.#changeDropped(event);
    row.changedBy = number;
    if (event.kind === "client-left") {
      row.left = event;
      this.#joinLater(row, number);
    }
    noteSale(row.sale, number);
    this.#dropIfDone(row);
  }

  /** A callback can be sent again after its request was dropped. */
  #changeDropped(event: TransactionEvent): void {
    if (event.kind !== "attempted" || !isAcknowledged(event.outcome) || !this.#undeliveredIds.has(event.requestId))
      return;
    this.#undeliveredIds.delete(event.requestId);
    this.#undeliveredBefore -= 1;
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

  /** Makes one sale of two. */
  #join({ sale }: Row, { sale: others }: Row, number: number): void {
    const [latest, first] = [sale.at(-1), others[0]];
    if (sale === others || latest === undefined || first === undefined) return;
    sale.push(...others);
    for (const one of others) one.sale = sale;
    if (latest.place > first.place) sale.sort((one, other) => one.place - other.place);
    noteSale(sale, number);
  }

  /** Drops what is no longer among the latest, unless it may still change or is at risk; and the oldest of all if these are too many. */
  #trim(): void {
    const [oldest] = this.rows;
    const left = this.rows.at(-1 - this.#mostRows);
    if (left !== undefined) this.#dropIfDone(left);
    if (oldest !== undefined && this.rows.length > 2 * this.#mostRows) this.#drop(oldest);
  }

  #dropIfDone({ sale }: Row): void {
    const oldest = this.rows.at(-this.#mostRows)?.place ?? 0;
    const isDone = ({ place, transaction }: Row): boolean =>
      place < oldest && (transaction === undefined || isEvictable(transaction));
    if (sale.every(isDone) && moneyRiskOf({ sale }) === undefined) for (const row of sale) this.#drop(row);
  }

  #drop(row: Row): void {
    const { requestId } = row.request;
    if (!this.#byId.delete(requestId)) return;
    addRisk(this.riskBefore, row);
    if (isUndelivered(row)) {
      this.#undeliveredBefore += 1;
      this.#undeliveredIds.set(requestId, true);
    }
    this.rows.splice(this.rows.indexOf(row), 1);
    if (row.transaction === undefined || isEvictable(row.transaction)) this.state?.transactions.delete(requestId);
  }
}

/** A row of the list changes with each request of its sale. */
function noteSale(sale: readonly Row[], number: number): void {
  const latest = sale.at(-1);
  if (latest !== undefined) latest.changedBy = number;
}

/** Returns whether the callback of a backend's order was not delivered by its last attempt, and none is to come. */
export function isUndelivered({ transaction }: Row): boolean {
  if (transaction === undefined || isOfKredo(transaction.accepted)) return false;
  return callbackState(transaction, transaction.accepted.at) === "undelivered";
}

function addRisk(sums: Map<Risk, Kes>, row: Row): void {
  const risk = isLatest(row) ? moneyRiskOf(row) : undefined;
  if (risk !== undefined) sums.set(risk, addKes(sums.get(risk) ?? NO_MONEY, priceOf(row)));
}
