import TinyQueue from "tinyqueue";
import { beginTry, recordTry } from "../account/decide/attempt.ts";
import { isDelayed } from "../account/event-guards.ts";
import type { Accepted, Attempted, RequestEvent } from "../account/events.ts";
import { settingsInForce } from "../account/state.ts";
import { isUnresolved, type Resolved } from "../account/transaction.ts";
import { encodeSent } from "../account/wire.ts";
import type { CallbackUrl } from "../settings/callbacks.ts";
import type { GatewaySettings } from "../settings/gateway.ts";
import type { CallbackTransport, Delivered } from "../ports/callback-transport.ts";
import { StoreOutage } from "../ports/journal-store.ts";
import { CallbackCopies } from "./callback-copies.ts";
import type { LiveJournal } from "./live-journal.ts";
import { headersOf, type CallbackPayload, type CallbackPost, postCallback } from "./post-callback.ts";

/** One delivery of one transaction's callback. */
export interface DeliveryId {
  readonly requestId: string;
  readonly delivery: number;
}

/** A callback waiting for a free slot, with its position in the queue. */
interface Waiting {
  readonly position: number;
  readonly begin: () => void;
}

interface SendControl {
  readonly signal: AbortSignal;
  /** The callback sent before; its outcome is recorded first. */
  readonly recordAfter: Promise<void> | undefined;
}

/**
 * Delivers callbacks: each only after its acknowledgment is sent or abandoned, in order of arrival, and with the account's concurrency
 * limit.
 */
export class Courier {
  readonly #journal: LiveJournal;
  readonly #transport: CallbackTransport;
  readonly #gateway: () => GatewaySettings;
  readonly #report: (fault: unknown) => void;
  /**
   * Requests whose acknowledgment is still pending, with the callbacks waiting for it. The event names the request and its run: after a reset, a
   * seed gives its id again.
   */
  readonly #held = new Map<RequestEvent, (() => void)[]>();
  #heldLong: ReadonlySet<RequestEvent> = new Set();
  #underWay = new Set<string>();
  /** The number of deliveries in progress that do not wait for an acknowledgment. */
  #inFlight = 0;
  /** Callbacks waiting for a free slot. */
  readonly #waiting = new TinyQueue<Waiting>([], (one, other) => one.position - other.position);
  readonly #endListeners: (() => void)[] = [];
  #lastPosition = 0;
  #slotsTaken = 0;
  #isClosed = false;
  #abort = new AbortController();
  /** The last callback sent on a manual clock. */
  #lastSent: Promise<void> | undefined;
  readonly #copies: CallbackCopies;

  constructor(
    journal: LiveJournal,
    transport: CallbackTransport,
    gateway: () => GatewaySettings,
    report: (fault: unknown) => void,
  ) {
    this.#journal = journal;
    this.#transport = transport;
    this.#gateway = gateway;
    this.#report = report;
    this.#copies = new CallbackCopies(journal, report, () => this.#notifyEnd());
  }

  /** The number of callbacks in flight or about to start. */
  get busy(): number {
    return this.#underWay.size;
  }

  /** Resolves when nothing is in flight, not counting callbacks that wait for their acknowledgment. */
  async idle(): Promise<void> {
    while (this.#inFlight + this.#copies.unrecorded > 0) await this.#nextEnd();
  }

  /** Resolves when nothing is in flight and no acknowledgment is pending. */
  async quiet(): Promise<void> {
    while (this.#underWay.size + this.#held.size + this.#copies.unrecorded > 0) await this.#nextEnd();
  }

  /** Holds a transaction's callbacks until `release`. */
  hold(accepted: Accepted): void {
    this.#held.set(accepted, []);
  }

  release(request: RequestEvent): void {
    const waiting = this.#held.get(request);
    if (waiting === undefined) return;
    this.#held.delete(request);
    for (const begin of waiting) begin();
    this.#notifyEnd();
  }

  /** Whether an acknowledgment is pending that a scenario delays, or that was pending at the last `noteLong`. */
  get isHoldingLong(): boolean {
    return [...this.#held.keys()].some((request) => this.#heldLong.has(request) || isDelayed(request.rules));
  }

  /** Notes which acknowledgments have been pending for long. Returns whether there are any. */
  noteLong(): boolean {
    this.#heldLong = new Set(this.#held.keys());
    return this.#held.size > 0;
  }

  /** Returns whether a callback would have to wait for its acknowledgment. */
  isHeld(requestId: string): boolean {
    return this.#waitingFor(requestId) !== undefined;
  }

  /**
   * Delivers once. Resolves when the outcome and that of its copy are recorded; or to the delivery if the store could not record it: then it
   * still has to be made. On a manual clock, outcomes are recorded in the order of sending, so that the same seed gives the same journal; all
   * but one that an acknowledgment waits for (`isAwaited`), which the receiver of an earlier one may be waiting for. Does nothing while the same
   * id is in progress.
   */
  async deliver(id: DeliveryId, isAwaited = false): Promise<DeliveryId | undefined> {
    const key = `${id.requestId}/${id.delivery}`;
    const underWay = this.#underWay;
    if (this.#isClosed || underWay.has(key)) return undefined;
    underWay.add(key);
    const { signal } = this.#abort;
    const waiting = this.#waitingFor(id.requestId);
    if (waiting !== undefined) await new Promise<void>((resolve) => waiting.push(resolve));
    this.#inFlight += 1;
    await this.#slot();
    try {
      if (isAwaited || this.#journal.state.clock.mode !== "manual")
        await this.#send(id, { signal, recordAfter: undefined });
      else await (this.#lastSent = this.#send(id, { signal, recordAfter: this.#lastSent }));
    } catch (fault) {
      this.#report(fault);
      return fault instanceof StoreOutage ? id : undefined;
    } finally {
      this.#slotsTaken -= 1;
      this.#admit();
      this.#inFlight -= 1;
      underWay.delete(key);
      this.#notifyEnd();
    }
    await this.#copies.recorded;
    return undefined;
  }

  /** Abandons everything in progress; acknowledgments stay pending until they are sent. Later deliveries are not affected. */
  abandon(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#copies.abandon();
    this.#lastSent = undefined;
    this.#underWay = new Set();
    for (const waiting of this.#held.values()) for (const begin of waiting.splice(0)) begin();
  }

  /** Abandons everything in progress, and delivers nothing more. Resolves when no acknowledgment is pending. */
  close(): Promise<void> {
    this.#isClosed = true;
    this.abandon();
    return this.quiet();
  }

  /** Resolves when a delivery is over or an acknowledgment is no longer pending. */
  #nextEnd(): Promise<void> {
    return new Promise((resolve) => this.#endListeners.push(resolve));
  }

  #notifyEnd(): void {
    for (const listener of this.#endListeners.splice(0)) listener();
  }

  /** Returns the callbacks that wait for a request's acknowledgment; undefined if that is not pending. */
  #waitingFor(requestId: string): (() => void)[] | undefined {
    if (this.#held.size === 0) return undefined;
    const accepted = this.#journal.state.transactions.get(requestId)?.accepted;
    return accepted && this.#held.get(accepted);
  }

  /** Resolves when a slot is free. Slots are given out in order of arrival. */
  #slot(): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ position: (this.#lastPosition += 1), begin: resolve });
      this.#admit();
    });
  }

  #admit(): void {
    while (this.#slotsTaken < this.#journal.state.settings.callbacks.concurrency) {
      const next = this.#waiting.pop();
      if (next === undefined) return;
      this.#slotsTaken += 1;
      next.begin();
    }
  }

  async #send(id: DeliveryId, control: SendControl): Promise<void> {
    const { signal } = control;
    const transaction = this.#journal.state.transactions.get(id.requestId);
    if (signal.aborted || transaction === undefined || isUnresolved(transaction.progress)) return;
    const { accepted, progress } = transaction;
    if (this.#journal.isLasting) {
      this.#journal.append((latest, at) => [beginTry(latest, id, at)]);
      await this.#journal.secured();
    }
    if (signal.aborted) return;
    const payload = this.#payloadOf(accepted, progress, id);
    const { copy, [accepted.order.operation]: target } = payload.callbacks.urls;
    const copying = target && copy && this.#copies.send(copy.url, () => this.#post(copy, payload, signal));
    const attempted = await this.#attempt(id, target, payload, control);
    if (copying !== undefined && attempted !== undefined) this.#copies.record(attempted, copying, signal);
  }

  async #attempt(
    id: DeliveryId,
    target: CallbackUrl | undefined,
    payload: CallbackPayload,
    { signal, recordAfter }: SendControl,
  ): Promise<Attempted | undefined> {
    const made = target === undefined ? UNREGISTERED : await this.#post(target, payload, signal);
    if (recordAfter !== undefined) await this.#recorded(recordAfter);
    if (signal.aborted) return undefined;
    return this.#journal.run((latest, at) => {
      const event = recordTry(latest, { ...id, headers: headersOf(payload), ...made }, at);
      return { events: event === undefined ? [] : [event], answer: event };
    });
  }

  /** Resolves when the outcome of a callback, and that of its copy, is recorded or never will be. */
  async #recorded(sent: Promise<void>): Promise<void> {
    await sent.catch(() => {});
    await this.#copies.recorded;
  }

  #payloadOf({ order, traits }: Accepted, progress: Resolved, { delivery }: DeliveryId): CallbackPayload {
    const { state } = this.#journal;
    const scripted = progress.deliveries.find(({ number }) => number === delivery)?.scripted;
    const body = encodeSent({ order, progress }, scripted, this.#gateway());
    return { body, callbacks: settingsInForce(state).callbacks, scripted, traceparent: traits?.traceparent };
  }

  /** An error in the transport is our bug. The attempt is recorded anyway, otherwise its transaction would wait forever. */
  async #post(target: CallbackUrl, payload: CallbackPayload, signal: AbortSignal): Promise<CallbackPost> {
    const { url } = target;
    try {
      return { url, ...(await postCallback(target, payload, { transport: this.#transport, signal })) };
    } catch (fault) {
      this.#report(fault);
      return { url, outcome: BROKEN, millis: 0 };
    }
  }
}

const BROKEN: Delivered["outcome"] = { kind: "blocked", reason: "the sandbox itself failed to send it; see its log" };
const UNREGISTERED = {
  url: "",
  outcome: { kind: "blocked", reason: "the callback URL was removed before the callback was due" },
  millis: 0,
} as const;
