import type { AccountEvent } from "../account/account-event.ts";
import type { Snapshot } from "../account/account-event.ts";
import { apply } from "../account/apply.ts";
import { isTransactionEvent } from "../account/event-guards.ts";
import type { Opened, RequestRefused } from "../account/events.ts";
import { type Earlier, earlierEvents, type Numbered, numbered } from "../account/readings/journal-slice.ts";
import type { RequestTraits } from "../account/request-traits.ts";
import { type Checkpoint, checkpointOf, firstEntries, snapshotOf } from "../account/snapshot.ts";
import type { AccountState } from "../account/state.ts";
import { isPending, type Transaction } from "../account/transaction.ts";
import type { Order } from "../domain/order.ts";
import type { JournalStore } from "../ports/journal-store.ts";
import type { AppliedRules } from "../scenario/effects/applied-rules.ts";
import type { RunningScenario } from "../scenario/running-scenario.ts";
import type { Scenario } from "../scenario/schema.ts";

export interface JournalBounds {
  /** How many of the latest requests, and of the latest transactions, are stored. */
  readonly max_transactions: number;
  /** The most bytes that each of the two may take. Fewer are stored if they take more. */
  readonly max_bytes: number;
}

/** The least number of events, or the least share of a bound, between two checkpoints. */
const SPACING = 256;
const SHARE = 1 / 8;

/** A place where the journal may begin. */
interface Beginning {
  /** The number of the last event before it. */
  readonly through: number;
  /** The bytes of all events before it, those of orders and money alone, and the number of their transactions. */
  readonly bytes: number;
  readonly shownBytes: number;
  readonly transactions: number;
  readonly state: Checkpoint;
}

/** What has been counted up to a moment. */
interface Counted extends Pick<Beginning, "shownBytes" | "transactions"> {
  readonly state: Pick<AccountState, "settlements">;
}

/** The orders from one beginning to the next, when all else between them is evicted. */
interface Orders {
  readonly start: Beginning;
  readonly events: Numbered<Earlier>[];
}

/**
 * Keeps a journal within its bounds, from one reset to the next. Copies the live state now and then. When enough events have followed a
 * copy, it becomes the snapshot that replaces the events before it. If these were refusals above all, the snapshot keeps the orders before it:
 * orders have the same bounds, and refusals do not count towards them.
 */
export class JournalCompactor {
  readonly #account: string;
  readonly #store: JournalStore;
  readonly #bounds: JournalBounds;
  #first: Beginning;
  /** Where the journal may begin later, earliest first. */
  readonly #checkpoints: Beginning[] = [];
  /** The orders before the first event, earliest first. */
  #orders: Orders[] = [];
  /** The event with which the journal began. */
  readonly #start: Numbered<Earlier>;
  #bytes = 0;
  #shownBytes = 0;
  /** How many transactions were evicted. */
  #forgotten = 0;
  /** A scenario is shared by all events that refer to it. */
  readonly #weighed: WeakSet<Scenario>;

  constructor(
    { account, store, bounds }: { account: string; store: JournalStore; bounds: JournalBounds },
    beginning: Numbered<Opened | Snapshot>,
    live: AccountState,
  ) {
    this.#account = account;
    this.#store = store;
    this.#bounds = bounds;
    this.#first = this.#beginningAt(beginning.number, live);
    this.#weighed = new WeakSet(live.scenarios.map(({ scenario }) => scenario));
    const { number, event } = beginning;
    const [start, ...events] = event.kind === "snapshot" ? earlierEvents(event, number) : [];
    this.#start = start ?? beginning;
    if (events.length > 0) this.#orders.push({ start: this.#beginningBefore(this.#start, events), events });
  }

  /** The number of requests evicted since the account was opened or reset. */
  get evicted(): number {
    const kept = this.#orders.flatMap(({ events }) => events).filter(({ event }) => event.kind === "accepted");
    return this.#first.state.requests - kept.length;
  }

  /** Counts an event that was just appended and applied. */
  count(event: AccountEvent, number: number, live: AccountState): void {
    const size = sizeOf(event);
    this.#bytes += size + (event.kind === "scenarios-changed" ? this.#weigh(event.active) : 0);
    if (isShown(event, live)) this.#shownBytes += size;
    if (this.#isCheckpointDue(number)) this.#checkpoints.push(this.#beginningAt(number, live));
  }

  /** Returns whether enough events have followed the first checkpoint. */
  isFull(live: AccountState): boolean {
    const [next] = this.#checkpoints;
    if (next === undefined) return false;
    const { requests, settlements } = next.state;
    const transactions = Math.max(live.requests - requests, live.settlements - settlements);
    return transactions >= this.#bounds.max_transactions || this.#bytes - next.bytes >= this.#bounds.max_bytes;
  }

  /** Evicts the oldest events. */
  trim(live: AccountState): void {
    while (this.isFull(live)) {
      const next = this.#checkpoints.shift();
      if (next !== undefined) this.#beginAt(next, live);
    }
  }

  /** A checkpoint copies at most one transaction for each event since the last one. */
  #isCheckpointDue(number: number): boolean {
    const { through, bytes, state } = this.#checkpoints.at(-1) ?? this.#first;
    const events = number - through;
    if (events < state.transactions.length) return false;
    const { max_transactions: maxTransactions, max_bytes: maxBytes } = this.#bounds;
    return events >= Math.max(SPACING, maxTransactions * SHARE) || this.#bytes - bytes >= maxBytes * SHARE;
  }

  #beginningAt(through: number, live: AccountState): Beginning {
    const transactions = this.#forgotten + live.transactions.size;
    return { through, bytes: this.#bytes, shownBytes: this.#shownBytes, transactions, state: checkpointOf(live) };
  }

  /** Returns the beginning of the orders that a snapshot kept. */
  #beginningBefore({ number, event }: Numbered<Earlier>, events: readonly Numbered<Earlier>[]): Beginning {
    const state = checkpointOf(apply(undefined, event));
    const shownBytes = -events.reduce((bytes, shown) => bytes + sizeOf(shown.event), 0);
    return { through: number, bytes: 0, shownBytes, transactions: state.transactions.length, state };
  }

  /** Evicts the events before a checkpoint; of orders and money, only what is too old. */
  #beginAt(next: Beginning, live: AccountState): void {
    const { through: after } = this.#first;
    const starts = [...this.#orders.map(({ start }) => start), this.#first, next];
    const oldest = this.#forget(starts, live);
    this.#orders = this.#orders.slice(starts.indexOf(oldest));
    if (oldest !== next) {
      const { events } = this.#store.read(this.#account, after);
      const before = numbered({ first: after + 1, events: events.slice(0, next.through - after) });
      this.#keep(before.filter(({ event }) => isShown(event, live)));
    }
    this.#first = next;
    this.#replaceBefore(next, live);
  }

  /** Keeps the orders after the first event, without a beginning of their own if few came before: refusals alone must add none. */
  #keep(events: readonly Numbered<Earlier>[]): void {
    const last = this.#orders.at(-1);
    if (last === undefined || this.#hasOrders(last.start, this.#first, SHARE))
      this.#orders.push({ start: this.#first, events: [...events] });
    else for (const one of events) last.events.push(one);
  }

  /**
   * Forgets the transactions before the latest beginning that enough orders have followed, and returns that. If one of them is being sent
   * again, only a later beginning has it.
   */
  #forget(starts: readonly Beginning[], live: AccountState): Beginning {
    const [oldest = this.#first] = starts;
    const transactions = this.#forgotten + live.transactions.size;
    const now = { transactions, shownBytes: this.#shownBytes, state: live };
    const wanted = starts.findLast((start) => this.#hasOrders(start, now, 1)) ?? oldest;
    const leftOut = this.#leftOutOf(wanted, live);
    if (leftOut.some(isPending)) return oldest;
    for (const { accepted } of leftOut) live.transactions.delete(accepted.requestId);
    this.#forgotten += leftOut.length;
    return wanted;
  }

  /** Returns whether so many orders came between two moments that they take a share of a bound. */
  #hasOrders(from: Counted, to: Counted, share: number): boolean {
    const { max_transactions: maxTransactions, max_bytes: maxBytes } = this.#bounds;
    const orders = Math.max(to.transactions - from.transactions, to.state.settlements - from.state.settlements);
    return orders >= maxTransactions * share || to.shownBytes - from.shownBytes >= maxBytes * share;
  }

  /** Returns the transactions before a beginning that were over then, and are not forgotten yet. */
  #leftOutOf({ transactions, state }: Beginning, live: AccountState): Transaction[] {
    const kept = new Set(state.transactions.map(({ accepted }) => accepted.requestId));
    const before = firstEntries(live.transactions.values(), transactions - this.#forgotten);
    return before.filter(({ accepted }) => !kept.has(accepted.requestId));
  }

  #replaceBefore({ through, state, transactions }: Beginning, live: AccountState): void {
    const count = transactions - this.#forgotten;
    const earlier = this.#orders.flatMap(({ events }) => events);
    const [oldest] = this.#orders;
    const start = oldest && (oldest.start.through === this.#start.number ? this.#start : startAt(oldest.start));
    this.#store.trim(this.#account, through, () => {
      const { events: later } = this.#store.read(this.#account, through);
      const snapshot = snapshotOf(state, live, { later, count });
      return start === undefined ? snapshot : { ...snapshot, earlier: [start, ...earlier] };
    });
  }

  /** Returns the bytes of the scenarios that no earlier event refers to. */
  #weigh(active: readonly RunningScenario[]): number {
    const added = active.map(({ scenario }) => scenario).filter((scenario) => !this.#weighed.has(scenario));
    for (const scenario of added) this.#weighed.add(scenario);
    return added.reduce((bytes, scenario) => bytes + JSON.stringify(scenario).length * BYTES_PER_CHARACTER, 0);
  }
}

function startAt({ through, state }: Beginning): Numbered<Earlier> {
  return { number: through, event: { kind: "snapshot", at: state.latest, state } };
}

/** Returns whether readings show an event although all before it was folded: what belongs to an order that is kept, or moves money. */
function isShown(event: AccountEvent, { transactions }: AccountState): event is Exclude<Earlier, { kind: "snapshot" }> {
  if (isTransactionEvent(event)) return transactions.has(event.requestId);
  return event.kind === "topped-up" || event.kind === "wallet-set" || event.kind === "sender-id-submitted";
}

/** The bytes of a scenario as written, read and compiled, per character of its JSON. Measured with 3,000 scenarios of 6.5 KB. */
const BYTES_PER_CHARACTER = 16;

/** Estimates the bytes that an event takes in memory. Settings that events share are not counted. */
function sizeOf(event: AccountEvent): number {
  return ownSize(event) + ("traits" in event ? traitsSize(event.traits) : 0);
}

function ownSize(event: AccountEvent): number {
  switch (event.kind) {
    case "accepted":
      return (
        OBJECT * 4 + textSize(event.requestId, event.order.phoneNumber, messageOf(event.order)) + rulesSize(event.rules)
      );
    case "cut":
      return OBJECT * 2 + textSize(event.requestId, messageOf(event.order)) + rulesSize(event.rules);
    case "queried":
      return OBJECT * 2 + rulesSize(event.rules);
    case "client-left":
    case "client-waits":
      return OBJECT + textSize(event.requestId);
    case "scenarios-changed":
      return OBJECT + event.active.length * OBJECT;
    case "refused":
      return OBJECT + refusedTexts(event) + rulesSize(event.rules);
    case "settled":
    case "reversed":
      return OBJECT * 2 + textSize(event.resultDesc);
    case "resend-requested":
      return OBJECT + textSize(event.scripted?.body ?? "");
    case "attempted":
    case "copied":
      return OBJECT * 2 + ("body" in event.outcome ? textSize(event.outcome.body) : 0);
    default:
      return OBJECT * 2;
  }
}

/** The bytes of an object with about ten fields. */
const OBJECT = 120;

function rulesSize(rules: AppliedRules | undefined): number {
  if (rules === undefined) return 0;
  const { fired, counters, ack, missed } = rules;
  return OBJECT + fired.length * 40 + textSize(...counters, ack?.body ?? "", missed?.difference ?? "");
}

/** The names of fields and parameters are shared by all events that use them. */
function traitsSize(traits: RequestTraits | undefined): number {
  if (traits === undefined) return 0;
  const { exposed = [], lenient = [], traceparent } = traits;
  return OBJECT / 2 + (exposed.length + lenient.length) * 16 + (traceparent === undefined ? 0 : textSize(traceparent));
}

function messageOf(order: Order | undefined): string {
  return order?.operation === "sms" ? order.message : "";
}

function refusedTexts({ requestId, path, body = "", order, validationErrors, answer = "" }: RequestRefused): number {
  return textSize(requestId, path, body, messageOf(order), answer) + (validationErrors === undefined ? 0 : OBJECT * 2);
}

/** V8 stores Latin-1 strings with one byte per character and others with two. Assumes two to be safe. */
function textSize(...texts: string[]): number {
  return texts.reduce((bytes, text) => bytes + 16 + 2 * text.length, 0);
}
