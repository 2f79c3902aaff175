import { apply } from "../account/apply.ts";
import { isRequestEvent } from "../account/event-guards.ts";
import type { RequestRefused } from "../account/events.ts";
import type { AccountEvent } from "../account/account-event.ts";
import { encodeState } from "../account/snapshot.ts";
import type { AccountState } from "../account/state.ts";
import { isEvictable } from "../account/transaction.ts";
import type { JournalStore } from "../ports/journal-store.ts";
import { ScenarioWeights } from "./scenario-weights.ts";
import type { AppliedRules } from "../scenario/applied-rules.ts";
import type { RequestTraits } from "../account/request-traits.ts";
import type { Order } from "../domain/order.ts";

export interface JournalBounds {
  /** The most requests that are stored. */
  readonly max_transactions: number;
  readonly max_bytes: number;
}

/** The number of requests, and the share of bytes, evicted at once, so that a full journal pays the cost only occasionally. */
const BATCH = 256;
const BYTES_BATCH = 1 / 64;

/**
 * Keeps a journal within its bounds. Folds its oldest events into a snapshot that replaces them, and removes transactions that are evictable
 * in both from the live state.
 */
export class JournalCompactor {
  readonly #account: string;
  readonly #store: JournalStore;
  readonly #bounds: JournalBounds;
  #base: AccountState | undefined;
  #through = 0;
  #requests = 0;
  #bytes = 0;
  #evicted = 0;
  /** A scenario is shared by all events that refer to it. */
  #scenarios = new ScenarioWeights();

  constructor(account: string, store: JournalStore, bounds: JournalBounds) {
    this.#account = account;
    this.#store = store;
    this.#bounds = bounds;
  }

  /** The number of requests evicted since the account was opened or reset. */
  get evicted(): number {
    return this.#evicted;
  }

  /** Counts an event that was just appended. */
  count(event: AccountEvent): void {
    this.#requests += Number(isRequestEvent(event));
    this.#bytes += sizeOf(event);
    if (event.kind === "scenarios-changed") this.#scenarios.add(event.active);
  }

  isFull(live: AccountState): boolean {
    return (
      Math.max(this.#requests, countEvictable(live)) > this.#bounds.max_transactions + BATCH ||
      this.#bytesNow > this.#bounds.max_bytes
    );
  }

  /** Evicts the oldest events until the rest is within the bounds. */
  trim(live: AccountState): void {
    const { first, events } = this.#store.read(this.#account, this.#through);
    this.#leaveBehind(first + this.#evictFrom(events, live) - 1);
  }

  /** Evicts everything before a new beginning (an opening, a reset or an import), whose event has this number. */
  startOver(number: number, beginning: AccountEvent): void {
    this.startFrom(number, beginning);
    this.#store.trim(this.#account, number, () => beginning);
  }

  /** Starts counting at a beginning with nothing before it. */
  startFrom(number: number, beginning: AccountEvent): void {
    this.#base = apply(undefined, beginning);
    this.#requests = 0;
    this.#evicted = this.#base.requests;
    this.#bytes = sizeOf(beginning);
    this.#scenarios = new ScenarioWeights(this.#base.scenarios);
    this.#through = number;
  }

  get #bytesNow(): number {
    return this.#bytes + this.#scenarios.bytes;
  }

  #evictFrom(events: readonly AccountEvent[], live: AccountState): number {
    const { max_bytes: maxBytes, max_transactions: maxTransactions } = this.#bounds;
    const bytesLeft = maxBytes * (1 - (this.#bytesNow > maxBytes ? BYTES_BATCH : 0));
    let evicted = 0;
    for (const event of events) {
      if (Math.max(this.#requests, countEvictable(live)) <= maxTransactions && this.#bytesNow <= bytesLeft) break;
      this.#evict(event, live);
      evicted += 1;
    }
    return evicted;
  }

  #evict(event: AccountEvent, live: AccountState): void {
    this.#requests -= Number(isRequestEvent(event));
    this.#evicted += Number(isRequestEvent(event));
    this.#bytes -= sizeOf(event);
    this.#base = apply(this.#base, event);
    if (event.kind === "scenarios-changed") this.#scenarios.evict(event.active);
    if ("requestId" in event) forgetIfEvictable(event.requestId, this.#base, live);
  }

  #leaveBehind(through: number): void {
    const base = this.#base;
    if (base === undefined || through <= this.#through) return;
    this.#through = through;
    this.#store.trim(this.#account, through, () => ({ kind: "snapshot", at: base.latest, state: encodeState(base) }));
  }
}

/** Counts the stored transactions that may be evicted. After a burst, their results far outlive the requests. */
function countEvictable({ transactions, pending, stuck }: AccountState): number {
  return transactions.size - pending - stuck;
}

function forgetIfEvictable(requestId: string, base: AccountState, live: AccountState): void {
  const [before, now] = [base.transactions.get(requestId), live.transactions.get(requestId)];
  if (before === undefined || now === undefined || !isEvictable(before) || !isEvictable(now)) return;
  base.transactions.delete(requestId);
  live.transactions.delete(requestId);
}

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
    case "attempted":
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
  const { exposed = [], loose = [], traceparent } = traits;
  return OBJECT / 2 + (exposed.length + loose.length) * 16 + (traceparent === undefined ? 0 : textSize(traceparent));
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
