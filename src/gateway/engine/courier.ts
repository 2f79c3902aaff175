import TinyQueue from "tinyqueue";
import { beginTry, recordTry, type Try } from "../account/decide/attempt.ts";
import { inForce } from "../account/state.ts";
import { isUnresolved, reportedResult } from "../account/transaction.ts";
import { encodeCallback, encodeScripted, type CallbackContent } from "../contract/callback.ts";
import type { ScriptedCallback } from "../scenario/effects/callback-flags.ts";
import type { CallbackSettings } from "../settings/callbacks.ts";
import type { CallbackUrl } from "../settings/callbacks.ts";
import type { GatewaySettings } from "../settings/gateway.ts";
import type { CallbackTransport, Delivered } from "../ports/callback-transport.ts";
import { StoreOutage } from "../ports/journal-store.ts";
import type { LiveJournal } from "./live-journal.ts";
import { headersOf, type CallbackPayload, postCallback } from "./post-callback.ts";

/** One delivery of one transaction's callback. */
export interface DeliveryId {
  readonly requestId: string;
  readonly delivery: number;
}

/** The content of a callback, and how a scenario changes it. */
interface Content {
  readonly payload: CallbackContent;
  readonly scripted: ScriptedCallback | undefined;
  readonly traceparent: string | undefined;
}

/** A callback waiting for a free slot, with its position in the queue. */
interface Waiting {
  readonly position: number;
  readonly begin: () => void;
}

interface SendTerms {
  readonly callbacks: CallbackSettings;
  readonly signal: AbortSignal;
}

interface SendControl {
  readonly signal: AbortSignal;
  /** The outcome is recorded after this has resolved. */
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
  /** Requests whose acknowledgment is still pending, with the callbacks waiting for it. */
  readonly #held = new Map<string, (() => void)[]>();
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
  }

  /** The number of callbacks in flight or about to start. */
  get busy(): number {
    return this.#underWay.size;
  }

  /** Resolves when nothing is in flight, not counting callbacks that wait for their acknowledgment. */
  async idle(): Promise<void> {
    while (this.#inFlight > 0) await this.#nextEnd();
  }

  /** Resolves when nothing is in flight and no acknowledgment is pending. */
  async quiet(): Promise<void> {
    while (this.#underWay.size + this.#held.size > 0) await this.#nextEnd();
  }

  /** Holds a transaction's callbacks until `release`. */
  hold(requestId: string): void {
    this.#held.set(requestId, []);
  }

  release(requestId: string): void {
    const waiting = this.#held.get(requestId);
    if (waiting === undefined) return;
    this.#held.delete(requestId);
    for (const begin of waiting) begin();
    this.#notifyEnd();
  }

  /** Returns whether a callback would have to wait for its acknowledgment. */
  isHeld(requestId: string): boolean {
    return this.#held.has(requestId);
  }

  /**
   * Delivers once. Resolves when the outcome is recorded, after `recordAfter`, or to the delivery if the store could not record it: then it
   * still has to be made. Does nothing while the same id is in progress.
   */
  async deliver(id: DeliveryId, recordAfter?: Promise<void>): Promise<DeliveryId | undefined> {
    const key = `${id.requestId}/${id.delivery}`;
    const underWay = this.#underWay;
    if (this.#isClosed || underWay.has(key)) return undefined;
    underWay.add(key);
    const { signal } = this.#abort;
    if (this.isHeld(id.requestId)) await this.#acknowledged(id.requestId);
    this.#inFlight += 1;
    await this.#slot();
    try {
      await this.#send(id, { signal, recordAfter });
      return undefined;
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
  }

  /** Abandons everything in progress. Later deliveries are not affected. */
  abandon(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#underWay = new Set();
    for (const requestId of this.#held.keys()) this.release(requestId);
  }

  /** Abandons everything in progress, and delivers nothing more. */
  close(): void {
    this.#isClosed = true;
    this.abandon();
  }

  /** Resolves when a delivery is over or an acknowledgment is no longer pending. */
  #nextEnd(): Promise<void> {
    return new Promise((resolve) => this.#endListeners.push(resolve));
  }

  #notifyEnd(): void {
    for (const listener of this.#endListeners.splice(0)) listener();
  }

  #acknowledged(requestId: string): Promise<void> {
    return new Promise((resolve) => this.#held.get(requestId)?.push(resolve));
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

  async #send(id: DeliveryId, { signal, recordAfter }: SendControl): Promise<void> {
    const { state } = this.#journal;
    const transaction = state.transactions.get(id.requestId);
    if (signal.aborted || transaction === undefined || isUnresolved(transaction.progress)) return;
    const { progress } = transaction;
    const scripted = progress.deliveries.find(({ number }) => number === id.delivery)?.scripted;
    const { order, traits } = transaction.accepted;
    const settled = reportedResult(progress, scripted);
    const content = {
      payload: { settled, order, gateway: this.#gateway() },
      scripted,
      traceparent: traits?.traceparent,
    };
    if (this.#journal.isLasting) {
      this.#journal.append((latest, at) => [beginTry(latest, id, at)]);
      await this.#journal.secured();
    }
    if (signal.aborted) return;
    const made = await this.#try(id, content, { callbacks: inForce(state).callbacks, signal });
    if (recordAfter !== undefined) await recordAfter;
    if (!signal.aborted) this.#journal.append((latest, at) => [recordTry(latest, made, at)]);
  }

  async #try(
    id: DeliveryId,
    { payload, scripted, traceparent }: Content,
    { callbacks, signal }: SendTerms,
  ): Promise<Try> {
    const target = callbacks.urls[payload.order.operation];
    const headers = headersOf({ callbacks, scripted, traceparent });
    const { requestId, delivery } = id;
    if (target === undefined) return { requestId, delivery, url: "", headers, outcome: UNREGISTERED, millis: 0 };
    const body =
      scripted === undefined ? encodeCallback(payload.settled, payload.gateway) : encodeScripted(payload, scripted);
    const sent = { body, callbacks, scripted, traceparent };
    const { also } = callbacks.urls;
    const copying = also && this.#post(also, sent, signal);
    const { outcome, millis } = await this.#post(target, sent, signal);
    const made = { requestId, delivery, url: target.url, headers, outcome, millis };
    const copy = await copying;
    return also && copy ? { ...made, also: { url: also.url, ...copy } } : made;
  }

  /** An error in the transport is our bug. The attempt is recorded anyway, otherwise its transaction would wait forever. */
  async #post(target: CallbackUrl, payload: CallbackPayload, signal: AbortSignal): Promise<Delivered> {
    try {
      return await postCallback(target, payload, { transport: this.#transport, signal });
    } catch (fault) {
      this.#report(fault);
      return { outcome: BROKEN, millis: 0 };
    }
  }
}

const BROKEN: Delivered["outcome"] = { kind: "blocked", reason: "the sandbox itself failed to send it; see its log" };
const UNREGISTERED: Delivered["outcome"] = {
  kind: "blocked",
  reason: "the callback URL was removed before the callback was due",
};
