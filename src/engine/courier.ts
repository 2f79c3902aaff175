import TinyQueue from "tinyqueue";
import type { Try } from "../account/decide/attempt.ts";
import type { AccountState } from "../account/state.ts";
import { isUnsettled } from "../account/transaction.ts";
import { encodeCallback, encodeScripted, type CallbackContent } from "../contract/callback.ts";
import type { CallbackForm } from "../scenario/effects/callback-flags.ts";
import type { CallbackSettings } from "../settings/callbacks.ts";
import type { CallbackUrl } from "../domain/callback-outcome.ts";
import type { GatewaySettings } from "../settings/gateway.ts";
import type { CallbackTransport, Delivered } from "../ports/callback-transport.ts";
import { StoreOutage } from "../ports/journal-store.ts";
import { headersOf, type CallbackPayload, postCallback } from "./post-callback.ts";

/** One delivery of one transaction's callback. */
export interface DeliveryId {
  readonly requestId: string;
  readonly delivery: number;
}

/** What a callback tells, and how a scenario spoils it. */
interface Content {
  readonly payload: CallbackContent;
  readonly form: CallbackForm | undefined;
  readonly traceparent: string | undefined;
}

/** A callback that waits for a place, and its own in the line. */
interface Waiting {
  readonly place: number;
  readonly begin: () => void;
}

interface SendTerms {
  readonly callbacks: CallbackSettings;
  readonly signal: AbortSignal;
}

interface SendControl {
  readonly signal: AbortSignal;
  /** The outcome is recorded once this has resolved. */
  readonly recordAfter: Promise<void> | undefined;
}

/** What a courier works with besides the network. */
export interface CallbackPorts {
  /** Journals that a try begins, where journals outlive the process; false when it must not be made any more. */
  readonly begin: (id: DeliveryId) => Promise<boolean>;
  /** Journals a try that was made. */
  readonly record: (made: Try) => void;
  readonly report: (fault: unknown) => void;
  /** Told of a delivery that the store did not take: it is still to be made. */
  readonly postpone: (id: DeliveryId) => void;
  readonly gateway: GatewaySettings;
}

/**
 * Carries callbacks: each only once its acknowledgment is out of the way, begun in the order in which they come, so many
 * at a time as the account allows.
 */
export class Courier {
  readonly #transport: CallbackTransport;
  readonly #begin: CallbackPorts["begin"];
  readonly #record: CallbackPorts["record"];
  readonly #report: (fault: unknown) => void;
  readonly #postpone: CallbackPorts["postpone"];
  readonly #gateway: GatewaySettings;
  /** Requests whose acknowledgment has not left yet, with what waits for it. */
  readonly #gates = new Map<string, (() => void)[]>();
  #underWay = new Set<string>();
  /** What is under way and does not wait for an acknowledgment. */
  readonly #inFlight = new Set<Promise<void>>();
  /** Who waits for a place. */
  readonly #waiting = new TinyQueue<Waiting>([], (one, other) => one.place - other.place);
  readonly #awaitingQuiet: (() => void)[] = [];
  #places = 0;
  #taken = 0;
  #isClosed = false;
  #abort = new AbortController();

  constructor(transport: CallbackTransport, ports: CallbackPorts) {
    this.#transport = transport;
    this.#begin = ports.begin;
    this.#record = ports.record;
    this.#report = ports.report;
    this.#postpone = ports.postpone;
    this.#gateway = ports.gateway;
  }

  /** How many callbacks are begun or about to begin. */
  get busy(): number {
    return this.#underWay.size;
  }

  /** Resolves when nothing is on its way, callbacks apart that wait for their acknowledgment. */
  async idle(): Promise<void> {
    while (this.#inFlight.size > 0) await Promise.all(this.#inFlight);
  }

  /** Resolves when nothing is on its way, and no acknowledgment is waited for. */
  async quiet(): Promise<void> {
    while (this.#underWay.size + this.#gates.size > 0) await new Promise<void>((resolve) => this.#awaitingQuiet.push(resolve));
  }

  /** Keeps a transaction's callbacks back until `release`. */
  hold(requestId: string): void {
    this.#gates.set(requestId, []);
  }

  release(requestId: string): void {
    const waiting = this.#gates.get(requestId) ?? [];
    this.#gates.delete(requestId);
    for (const begin of waiting) begin();
    this.#noteLess();
  }

  /** Whether a callback would have to wait for its acknowledgment. */
  isHeld(requestId: string): boolean {
    return this.#gates.has(requestId);
  }

  /** Delivers once and resolves when the outcome is recorded, after `recordAfter`; does nothing while the same id is under way. */
  async deliver(id: DeliveryId, stateNow: () => AccountState, recordAfter?: Promise<void>): Promise<void> {
    const key = `${id.requestId}/${id.delivery}`;
    const underWay = this.#underWay;
    if (this.#isClosed || underWay.has(key)) return;
    underWay.add(key);
    const { signal } = this.#abort;
    if (this.isHeld(id.requestId)) await this.#gate(id.requestId);
    const sending = this.#send(id, stateNow, { signal, recordAfter });
    this.#inFlight.add(sending);
    const reported = sending.catch((fault: unknown) => {
      this.#report(fault);
      if (fault instanceof StoreOutage) this.#postpone(id);
    });
    await reported.finally(() => {
      this.#inFlight.delete(sending);
      underWay.delete(key);
      this.#noteLess();
    });
  }

  /** Abandons all that is under way; what is delivered from now on is not concerned. */
  abandon(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#underWay = new Set();
    for (const requestId of this.#gates.keys()) this.release(requestId);
  }

  /** Abandons all that is under way, and delivers nothing any more. */
  close(): void {
    this.#isClosed = true;
    this.abandon();
  }

  #noteLess(): void {
    for (const look of this.#awaitingQuiet.splice(0)) look();
  }

  #gate(requestId: string): Promise<void> {
    return new Promise((resolve) => this.#gates.get(requestId)?.push(resolve));
  }

  /** A place for one more; whoever came first gets the first that is free. */
  #place(concurrency: number): Promise<void> {
    return new Promise((resolve) => {
      this.#waiting.push({ place: (this.#places += 1), begin: resolve });
      this.#admit(concurrency);
    });
  }

  #leavePlace(concurrency: number): void {
    this.#taken -= 1;
    this.#admit(concurrency);
  }

  #admit(concurrency: number): void {
    while (this.#taken < concurrency) {
      const next = this.#waiting.pop();
      if (next === undefined) return;
      this.#taken += 1;
      next.begin();
    }
  }

  async #send(id: DeliveryId, stateNow: () => AccountState, { signal, recordAfter }: SendControl): Promise<void> {
    await this.#place(stateNow().settings.callbacks.concurrency);
    try {
      const state = stateNow();
      const transaction = state.transactions.get(id.requestId);
      if (signal.aborted || transaction === undefined || isUnsettled(transaction.progress)) return;
      const { settled, deliveries } = transaction.progress;
      const form = deliveries.find(({ number }) => number === id.delivery)?.form;
      const { order, traits } = transaction.accepted;
      const content = { payload: { settled, order, gateway: this.#gateway }, form, traceparent: traits?.traceparent };
      if (!(await this.#begin(id)) || signal.aborted) return;
      const made = await this.#try(id, content, { callbacks: state.settings.callbacks, signal });
      if (recordAfter !== undefined) await recordAfter;
      if (!signal.aborted) this.#record(made);
    } finally {
      this.#leavePlace(stateNow().settings.callbacks.concurrency);
    }
  }

  async #try(id: DeliveryId, { payload, form, traceparent }: Content, { callbacks, signal }: SendTerms): Promise<Try> {
    const target = callbacks.urls[payload.order.operation];
    const headers = headersOf({ callbacks, form, traceparent });
    const { requestId, delivery } = id;
    if (target === undefined) return { requestId, delivery, url: "", headers, outcome: UNREGISTERED, millis: 0 };
    const body = form === undefined ? encodeCallback(payload.settled, payload.gateway) : encodeScripted(payload, form);
    const { outcome, millis } = await this.#post(target, { body, callbacks, form, traceparent }, signal);
    return { requestId, delivery, url: target.url, headers, outcome, millis };
  }

  /** A fault of the transport is ours; the try is written down all the same, or its transaction would wait for ever. */
  async #post(target: CallbackUrl, payload: CallbackPayload, signal: AbortSignal): Promise<Delivered> {
    try {
      return await postCallback(target, payload, { transport: this.#transport, signal });
    } catch (fault) {
      this.#report(fault);
      return { outcome: BROKEN, millis: 0 };
    }
  }
}

const BROKEN: Delivered["outcome"] = { kind: "blocked", reason: "the sandbox itself failed to send it, and its log says why" };
const UNREGISTERED: Delivered["outcome"] = { kind: "blocked", reason: "the callback URL was taken away before the callback was due" };
