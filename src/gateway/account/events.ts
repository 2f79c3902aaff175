import * as z from "zod";
import type { Immutable } from "../domain/immutable.ts";
import { appliedRules, BREAKAGES } from "../scenario/effects/applied-rules.ts";
import {
  carrierSchema,
  headers,
  kes,
  measure,
  moment,
  order,
  outcome,
  requestId,
  senderIdSchema,
  span,
  sum,
} from "../domain/schemas.ts";
import { deliveries, plan, scriptedCallback } from "../scenario/effects/plan.ts";
import { runningScenario } from "../scenario/running-scenario.ts";
import { rateLimit, settings } from "../settings/account-settings.ts";
import { clockState } from "../settings/clock.ts";
import { requestTraits } from "./request-traits.ts";
import { callbacksChanged, clockChanged, credentialsChanged } from "./settings-events.ts";
import { ENDPOINTS } from "../domain/order.ts";

// Everything that can happen to an account. `at` is the account's own time. The schemas define the event types and check imported journals;
// the sandbox's own events are not checked at run time.

/** An account's settings and scenarios. */
export const accountSetup = z.object({ settings, scenarios: z.array(runningScenario) });
export type AccountSetup = Immutable<z.output<typeof accountSetup>>;

/** The account starts, or starts over: all earlier events no longer count. */
const opened = z.object({
  kind: z.literal("opened"),
  at: moment,
  settings,
  seed: z.int().min(0),
  clock: clockState,
  /** The rehearsal that it was opened for. */
  rehearsal: z.string().exactOptional(),
  /** What the rehearsal replaced; a reset restores it. */
  before: accountSetup.exactOptional(),
});
export type Opened = Immutable<z.output<typeof opened>>;

/** The fields common to all request events. */
const request = { at: moment, requestId, traits: requestTraits.exactOptional(), content: z.number() };

/** A request was accepted: its price is held and its result is planned. */
export const accepted = z.object({
  kind: z.literal("accepted"),
  ...request,
  order,
  carrier: carrierSchema,
  ported: z.boolean(),
  /** The measure of an SMS. */
  measure: measure.exactOptional(),
  hold: sum,
  plan,
  rules: appliedRules.exactOptional(),
  /** Until when an identical airtime request is a duplicate, unless `duplicates` is accept. */
  repeatableAt: moment.exactOptional(),
});
export type Accepted = Immutable<z.output<typeof accepted>>;

/** A request was refused: its status code is not 200. */
const refused = z.object({
  kind: z.literal("refused"),
  ...request,
  method: z.string(),
  path: z.string(),
  operation: z.enum(ENDPOINTS).exactOptional(),
  /** The consumer key in the request, if no account has it. */
  unknownKey: z.string().exactOptional(),
  code: z.int(),
  description: z.string(),
  validationErrors: z.record(z.string(), z.array(z.string())).exactOptional(),
  hint: z.string().exactOptional(),
  /** When the request would be accepted, as announced in Retry-After. */
  retryAt: moment.exactOptional(),
  rules: appliedRules.exactOptional(),
  /** The raw body that a scenario sent instead of the envelope. */
  answer: z.string().exactOptional(),
  /** The order, if the request was valid. */
  order: order.exactOptional(),
  /** The first 4 KB of the body, if the request was invalid. */
  body: z.string().exactOptional(),
});
export type RequestRefused = Immutable<z.output<typeof refused>>;

/** An account-details request was answered. */
const queried = z.object({
  kind: z.literal("queried"),
  ...request,
  available: kes,
  rules: appliedRules.exactOptional(),
});
export type DetailsQueried = Immutable<z.output<typeof queried>>;

/** A scenario broke the connection before the request was accepted. */
const cut = z.object({
  kind: z.literal("cut"),
  ...request,
  /** Absent for account-details. */
  order: order.exactOptional(),
  /** The balance that account-details would have shown. */
  available: kes.exactOptional(),
  breakage: z.enum(BREAKAGES),
  rules: appliedRules,
});
export type ConnectionCut = Immutable<z.output<typeof cut>>;

/** The client closed the connection before its acknowledgment was written. */
export const clientLeft = z.object({
  kind: z.literal("client-left"),
  at: moment,
  requestId,
  /** Wall time from the request to the close. */
  waited: span,
});
export type ClientLeft = Immutable<z.output<typeof clientLeft>>;

/** After `CLIENT_PATIENCE`, the client is still waiting for a response that never comes. */
const clientWaits = z.object({ ...clientLeft.shape, kind: z.literal("client-waits") });
export type ClientWaits = Immutable<z.output<typeof clientWaits>>;

const scriptedSendings = z.strictObject({
  deliveries,
  /** How many later callbacks are sent first. */
  reorder: z.int(),
});

/** The carrier's result arrived: the hold became a charge, or was released. */
export const settled = z.object({
  kind: z.literal("settled"),
  at: moment,
  requestId,
  outcome: z.enum(["succeeded", "failed"]),
  resultCode: z.int(),
  resultDesc: z.string(),
  charge: sum,
  unpaid: kes.exactOptional(),
  /** The parts of an SMS that arrived although it failed. */
  delivered: z.array(z.int()).exactOptional(),
  /** The available balance afterwards: the callback's `account_balance`, identical in every resend. */
  available: kes,
  /** When the callback is due, how a scenario sends it, or why there is none. */
  callback: z.union([z.strictObject({ dueAt: moment }), z.strictObject({ none: z.string() }), scriptedSendings]),
});
export type Settled = Immutable<z.output<typeof settled>>;

/** The carrier took a success back: its charge returned to the wallet. */
export const reversed = settled
  .pick({ at: true, requestId: true, resultCode: true, resultDesc: true, available: true })
  .extend({ kind: z.literal("reversed"), refund: sum });
export type Reversed = Immutable<z.output<typeof reversed>>;

/**
 * A callback attempt is about to be made. Journalled beforehand if journals outlive the process: an attempt whose outcome was lost with the
 * process is repeated and marked as possibly repeated.
 */
const attemptBegun = z.object({
  kind: z.literal("attempt-begun"),
  at: moment,
  requestId,
  delivery: z.int(),
  /** The previous attempt was also begun, and its outcome is unknown. */
  possiblyRepeated: z.literal(true).exactOptional(),
});
export type AttemptBegun = Immutable<z.output<typeof attemptBegun>>;

/** One attempt to deliver a callback, with its outcome. */
export const attempted = z.object({
  kind: z.literal("attempted"),
  at: moment,
  requestId,
  /** Which delivery of the transaction's callback the attempt belongs to; a resend is a new delivery. */
  delivery: z.int(),
  /** The number of the attempt within the transaction, from 1. */
  attempt: z.int(),
  url: z.string(),
  headers,
  outcome,
  /** How a scenario sent it. An empty one is an additional, unaltered copy. */
  scripted: scriptedCallback.exactOptional(),
  /** Wall time from the start until the answer. */
  millis: span,
  /** The sandbox stopped during an earlier attempt, which the receiver may have got. */
  possiblyRepeated: z.literal(true).exactOptional(),
  /** When the retry policy tries again. */
  retryAt: moment.exactOptional(),
});
export type Attempted = Immutable<z.output<typeof attempted>>;

/** What came of the copy of an attempt to a second URL. */
export const copied = attempted
  .pick({ at: true, requestId: true, attempt: true, url: true, outcome: true, millis: true })
  .extend({ kind: z.literal("copied") });
export type Copied = Immutable<z.output<typeof copied>>;

const resendRequested = z.object({
  kind: z.literal("resend-requested"),
  at: moment,
  requestId,
  /** What was written instead of the callback's own content. */
  scripted: scriptedCallback.exactOptional(),
});
export type ResendRequested = Immutable<z.output<typeof resendRequested>>;

const toppedUp = z.object({ kind: z.literal("topped-up"), at: moment, amount: sum });
export type ToppedUp = Immutable<z.output<typeof toppedUp>>;

/** The available balance was set. Holds stay; the difference is an adjustment. */
const walletSet = z.object({ kind: z.literal("wallet-set"), at: moment, available: sum });

/** A custom sender ID was submitted to one carrier, and the fee paid. */
export const senderIdSubmitted = z.object({
  kind: z.literal("sender-id-submitted"),
  at: moment,
  id: requestId,
  senderId: senderIdSchema,
  carrier: carrierSchema,
  fee: sum,
  decidesAt: moment,
});
export type SenderIdSubmitted = Immutable<z.output<typeof senderIdSubmitted>>;

export const senderIdDecided = z.object({
  kind: z.literal("sender-id-decided"),
  at: moment,
  id: requestId,
  verdict: z.enum(["approved", "rejected"]),
  reason: z.string().exactOptional(),
});
export type SenderIdDecided = Immutable<z.output<typeof senderIdDecided>>;

/** Scenarios were loaded, unloaded, or had a rule switched. */
const scenariosChanged = z.object({
  kind: z.literal("scenarios-changed"),
  at: moment,
  active: z.array(runningScenario),
  /** Scenarios that start with this event; the events that follow set their wallets. */
  begun: z.array(z.string()),
  /** Scenarios that were edited while running: their time continues, and steps already past count as done. */
  swapped: z.array(z.string()).exactOptional(),
});
export type ScenariosChanged = Immutable<z.output<typeof scenariosChanged>>;

/** A step of a scenario's timeline was carried out. */
const timelineStepped = z.object({
  kind: z.literal("timeline-stepped"),
  at: moment,
  scenario: z.string(),
  step: z.int(),
  /** What the step makes of the rate limit; `null` lifts it. */
  rate_limit: rateLimit.nullable().exactOptional(),
});
export type TimelineStepped = Immutable<z.output<typeof timelineStepped>>;

export const eventSchemas = [
  opened,
  accepted,
  refused,
  queried,
  cut,
  clientLeft,
  clientWaits,
  settled,
  reversed,
  attemptBegun,
  attempted,
  copied,
  resendRequested,
  toppedUp,
  walletSet,
  callbacksChanged,
  credentialsChanged,
  senderIdSubmitted,
  senderIdDecided,
  clockChanged,
  scenariosChanged,
  timelineStepped,
] as const;

/** An event about the callbacks of one transaction. */
export type DeliveryEvent = AttemptBegun | Attempted | Copied | ResendRequested;

/** An event about one transaction. */
export type TransactionEvent = Accepted | ClientLeft | Settled | Reversed | DeliveryEvent;

/** An event that records a request to the gateway. */
export type RequestEvent = Accepted | RequestRefused | DetailsQueried | ConnectionCut;
