import type { CallbackOutcome } from "../domain/callback-outcome.ts";
import type { Carrier } from "../domain/carrier.ts";
import type { Kes } from "../domain/kes.ts";
import type { Order } from "../domain/order.ts";
import type { ActiveScenario } from "../domain/directive.ts";
import type { CallbackForm, Plan, Sending } from "../domain/plan.ts";
import type { RefusalCode, ValidationErrors } from "../domain/refusal.ts";
import type { CallbackSettings, Operation, Organization, RateLimit, SenderIdGrant } from "../domain/settings.ts";
import type { Breakage } from "../domain/scenario.ts";
import type { SmsMeasure } from "../domain/sms-parts.ts";
import type { Instant, Millis } from "../domain/time.ts";
import type { ClockState } from "./clock.ts";
import type { Opened } from "./opened.ts";
import type { AttemptBegun, ResendRequested } from "./delivery-events.ts";
import type { Directed } from "./directed.ts";
import type { Manner } from "./manner.ts";
import type { SenderIdDecided, SenderIdSubmitted } from "./sender-id-events.ts";
import type { EncodedState } from "./snapshot.ts";

/** Everything that can happen to an account, in the order in which it happened. `at` is the account's own time. */
export type AccountEvent =
  | Opened
  | Snapshot
  | Accepted
  | RequestRefused
  | DetailsQueried
  | Settled
  | AttemptBegun
  | Attempted
  | ResendRequested
  | ToppedUp
  | WalletSet
  | CallbacksChanged
  | AccountChanged
  | SenderIdSubmitted
  | SenderIdDecided
  | ClockChanged
  | ConnectionCut
  | ClientLeft
  | ScenariosChanged
  | TimelineStepped;

/** All events up to here, folded: the first entry of a journal whose beginning was evicted. */
export interface Snapshot {
  readonly kind: "snapshot";
  readonly at: Instant;
  readonly state: EncodedState;
}

/** A request was taken: its price is held and its result is planned. */
export interface Accepted {
  readonly kind: "accepted";
  readonly at: Instant;
  readonly requestId: string;
  readonly manner?: Manner;
  readonly order: Order;
  /** The key under which requests of equal content are counted. */
  readonly content: number;
  readonly carrier: Carrier;
  readonly ported: boolean;
  /** How an SMS was counted. */
  readonly measure?: SmsMeasure;
  readonly hold: Kes;
  readonly plan: Plan;
  readonly directed?: Directed;
  /** Until when the same airtime request is refused as a duplicate, where that is on. */
  readonly repeatableAt?: Instant;
}

/** A request was answered with another code than 200. */
export interface RequestRefused {
  readonly kind: "refused";
  readonly at: Instant;
  readonly requestId: string;
  readonly manner?: Manner;
  readonly method: string;
  readonly path: string;
  readonly operation?: Operation | "account-details";
  readonly content: number;
  readonly code: RefusalCode;
  readonly description: string;
  readonly validationErrors?: ValidationErrors;
  readonly hint?: string;
  /** When a request would be taken again, as Retry-After told the client. */
  readonly retryAt?: Instant;
  readonly directed?: Directed;
  /** The whole body that a scenario answered, byte for byte, instead of the envelope. */
  readonly answer?: string;
  /** The order, where the request was valid. */
  readonly order?: Order;
  /** The first 4 KB of the body, where it was not. */
  readonly body?: string;
}

export interface DetailsQueried {
  readonly kind: "queried";
  readonly at: Instant;
  readonly requestId: string;
  readonly manner?: Manner;
  readonly content: number;
  readonly available: Kes;
  readonly directed?: Directed;
}

/** A scenario broke the connection before the request was accepted. */
export interface ConnectionCut {
  readonly kind: "cut";
  readonly at: Instant;
  readonly requestId: string;
  readonly manner?: Manner;
  readonly content: number;
  /** None where account-details was asked for. */
  readonly order?: Order;
  readonly breakage: Breakage;
  readonly directed: Directed;
}

/** The client was gone before its acknowledgment was written, and nobody but itself had closed the connection. */
export interface ClientLeft {
  readonly kind: "client-left";
  readonly at: Instant;
  readonly requestId: string;
  /** Wall time from the request to its leaving. */
  readonly waited: Millis;
}

/** Scenarios were loaded, unloaded, or had a rule switched. */
export interface ScenariosChanged {
  readonly kind: "scenarios-changed";
  readonly at: Instant;
  readonly active: readonly ActiveScenario[];
  /** Scenarios whose time begins with this event; the events that follow carry their setup out. */
  readonly begun: readonly string[];
  /** Scenarios that were written anew while they run: their time goes on, and steps of before now count as done. */
  readonly swapped?: readonly string[];
}

/** A step of a scenario's timeline was carried out. */
export interface TimelineStepped {
  readonly kind: "timeline-stepped";
  readonly at: Instant;
  readonly scenario: string;
  readonly step: number;
}

/** The carrier's result arrived: the hold became a charge, or went back. */
export interface Settled {
  readonly kind: "settled";
  readonly at: Instant;
  readonly requestId: string;
  readonly outcome: "succeeded" | "failed";
  readonly resultCode: number;
  readonly resultDesc: string;
  readonly charge: Kes;
  readonly unpaid?: Kes;
  /** What could be spent after it: the callback's `account_balance`, for good. */
  readonly available: Kes;
  /** When the callback is due; or how a scenario has it sent; or why there is none. */
  readonly callback: { readonly dueAt: Instant } | ScriptedSendings | { readonly none: string };
}

export interface ScriptedSendings {
  readonly sendings: readonly Sending[];
  /** So many later callbacks go first. */
  readonly letPass: number;
}

/** One try to deliver a callback, with what came of it. */
export interface Attempted {
  readonly kind: "attempted";
  readonly at: Instant;
  readonly requestId: string;
  /** Which delivery of the transaction's callback this try belongs to; a resend is another delivery. */
  readonly delivery: number;
  /** Counts the tries of the whole transaction, from 1. */
  readonly attempt: number;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly outcome: CallbackOutcome;
  /** How a scenario had it sent; an empty form for an honest sending more. */
  readonly scripted?: CallbackForm;
  /** Wall time from the beginning to the answer. */
  readonly millis: Millis;
  /** The sandbox was stopped in the middle of a try before this one, which the receiver may have got. */
  readonly possiblyRepeated?: true;
  /** When the retry policy tries again. */
  readonly retryAt?: Instant;
}

export interface ToppedUp {
  readonly kind: "topped-up";
  readonly at: Instant;
  readonly amount: Kes;
}

/** What is available was set; holds stay, the difference is an adjustment. */
export interface WalletSet {
  readonly kind: "wallet-set";
  readonly at: Instant;
  readonly available: Kes;
}

export interface CallbacksChanged {
  readonly kind: "callbacks-changed";
  readonly at: Instant;
  readonly callbacks: CallbackSettings;
}

export interface AccountChanged {
  readonly kind: "account-changed";
  readonly at: Instant;
  readonly consumerSecret?: string;
  readonly organization?: Organization;
  /** `null` lifts the limit. */
  readonly rateLimit?: RateLimit | null;
  /** In place of those that are registered; a reset goes back to the settings' own. */
  readonly senderIds?: readonly SenderIdGrant[];
}

/** The clock was set, or a manual one reached a moment at which nothing else happened. */
export interface ClockChanged {
  readonly kind: "clock-changed";
  readonly at: Instant;
  readonly clock: ClockState;
}

/** An event about one transaction. */
export type TransactionEvent = Accepted | ClientLeft | Settled | AttemptBegun | Attempted | ResendRequested;

/** An event that a request of the gateway left. */
export type RequestEvent = Accepted | RequestRefused | DetailsQueried | ConnectionCut;

/** The account begins with this event; whatever was before it is gone. */
export function isBeginning(event: AccountEvent): event is Opened | Snapshot {
  return event.kind === "opened" || event.kind === "snapshot";
}

export function isRequestEvent(event: AccountEvent): event is RequestEvent {
  return event.kind === "accepted" || event.kind === "refused" || event.kind === "queried" || event.kind === "cut";
}
