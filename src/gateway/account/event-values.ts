import * as z from "zod";
import { RETRY_CAUSES } from "../domain/callback-outcome.ts";
import { CARRIERS, type PhoneNumber } from "../domain/carrier.ts";
import type { Kes } from "../domain/kes.ts";
import { isSenderId } from "../domain/sender-id.ts";
import { LONGEST_DURATION } from "../domain/time.ts";
import { flagShape } from "../scenario/effects/callback.ts";
import type { ScriptedCallback } from "../scenario/effects/callback-flags.ts";
import { contentTypeValue, headersValue } from "../scenario/placeholders.ts";
import { wrongInScenario } from "../scenario/read-scenario.ts";
import type { Scenario } from "../scenario/schema.ts";
import {
  addedHeaders,
  callbackUrlValue,
  certificateValue,
  concurrencyValue,
  headerValue,
  retryAttempts,
} from "../settings/callbacks.ts";
import { FASTEST } from "../settings/clock.ts";

// The values in events and snapshots. The rest of the code imports only their types, because the dashboard bundles it without zod.

/** Since 1970 and before a date can no longer be written, with room for what is planned after it. */
export const moment = z.number().min(0).max(8e15);

/** Time that was drawn, planned or measured: at most a thousand deliveries, each the longest duration after the one before. */
export const span = z
  .number()
  .min(0)
  .max(2_000 * LONGEST_DURATION);

/** A duration as a setting. */
const duration = z.number().min(0).max(LONGEST_DURATION);

/** An id of the gateway's own making. */
export const requestId = z.string().regex(/^[\x20-\x7e]{1,200}$/, "must be 1 to 200 printable ASCII characters");
export const carrier = z.enum(CARRIERS);

export const kes = z.int().pipe(z.custom<Kes>());
/** An amount that is never negative. */
export const sum = z.int().min(0).pipe(z.custom<Kes>());

const phoneNumber = z.string().pipe(z.custom<PhoneNumber>());

export const airtimeOrder = z.object({ operation: z.literal("airtime"), phoneNumber, amount: kes });
export const smsOrder = z.object({
  operation: z.literal("sms"),
  phoneNumber,
  message: z.string(),
  senderId: z.string(),
});
export const order = z.discriminatedUnion("operation", [airtimeOrder, smsOrder]);

/** A message's length and the parts it is billed for. */
export const measure = z.object({
  encoding: z.enum(["GSM-7", "UCS-2"]),
  /** Unicode code points. */
  characters: z.int(),
  /** Septets in GSM-7, UTF-16 units in UCS-2. */
  units: z.int(),
  parts: z.int(),
});

export const scriptedCallback: z.ZodType<ScriptedCallback> = z.strictObject({
  body: z.string().exactOptional(),
  content_type: contentTypeValue.exactOptional(),
  headers: headersValue.exactOptional(),
  ...flagShape(),
});

/** One delivery of the callback. */
const plannedDelivery = z.object({
  /** The time after the transaction settles. */
  after: span,
  scripted: scriptedCallback,
});
export const deliveries = z.array(plannedDelivery);

export const callbackPlan = z.object({
  deliveries,
  /** Why no callback is sent. */
  dropped: z.string().exactOptional(),
  /** Whether it settles at acceptance and the acknowledgment waits for the receiver. */
  before_ack: z.boolean(),
  /** How many later callbacks go first. */
  reorder: z.int(),
});

/** The carrier's final result of a transaction. */
export const carrierResult = z.object({
  outcome: z.enum(["success", "failed", "rejected", "not_on_network", "timed_out", "insufficient_funds"]),
  resultCode: z.int(),
  resultDesc: z.string(),
});

/** What will happen to one accepted request; decided at acceptance. */
export const plan = z.object({
  settleAfter: z.union([span, z.literal("never")]),
  result: carrierResult,
  /** The charge when it settles, limited then to what the wallet can cover. */
  charge: kes,
  /** The parts of an SMS that arrive, if a scenario sets them. */
  delivered: z.array(z.int()).exactOptional(),
  /** How callbacks are sent, if a scenario changes that from one callback at once. */
  callback: callbackPlan.exactOptional(),
});

/** The outcome of one attempt to deliver a callback. */
export const outcome = z.discriminatedUnion("kind", [
  /** A status line arrived within the limit. `body` is the first 4 KB of what followed. */
  z.object({ kind: z.literal("answered"), status: z.int(), body: z.string() }),
  /** A status from 300 to 399 with a Location header. Redirects are not followed. */
  z.object({ kind: z.literal("redirect"), status: z.int(), location: z.string(), body: z.string() }),
  /** No status line within the limit. */
  z.object({ kind: z.literal("timed_out") }),
  /** No connection. `reason` is set unless it was simply refused, for example if there is no route to the host. */
  z.object({ kind: z.literal("refused"), reason: z.string().exactOptional() }),
  /** The connection ended before an answer. `reason` is set if something other than HTTP arrived. */
  z.object({ kind: z.literal("reset"), reason: z.string().exactOptional() }),
  z.object({ kind: z.literal("unresolved_name") }),
  /** A scenario closed the connection in the middle of the body. */
  z.object({ kind: z.literal("broken_off") }),
  z.object({ kind: z.literal("tls"), reason: z.string() }),
  /** Never sent: the rules for outgoing calls forbid it, or its URL or headers cannot be sent. */
  z.object({ kind: z.literal("blocked"), reason: z.string() }),
  /** Given up because the sandbox stopped or the account was reset. */
  z.object({ kind: z.literal("abandoned") }),
]);

const scale = z.number().gt(0).max(FASTEST);

/** How an account's time follows wall time. A manual clock moves only when it is advanced. */
export const clock = z.discriminatedUnion("mode", [
  z.object({ mode: z.literal("real") }),
  z.object({ mode: z.literal("scaled"), scale, from: moment, wallFrom: moment }),
  z.object({ mode: z.literal("manual"), from: moment }),
]);

/** The common result of all ways of writing a clock. */
export const clockSettings = z.discriminatedUnion("mode", [
  z.object({ mode: z.literal("real") }),
  z.object({ mode: z.literal("scaled"), scale, start: moment.exactOptional() }),
  z.object({ mode: z.literal("manual"), start: moment.exactOptional() }),
]);

export const headers = z.record(z.string(), z.string());

export const callbackUrl = z.object({
  url: callbackUrlValue,
  /** Whether this machine's owner set it (config, flag, variable, admin token), so that public hosts may be called. */
  trusted: z.boolean(),
});

export const callbacks = z.object({
  urls: z.strictObject({ airtime: callbackUrl.exactOptional(), sms: callbackUrl.exactOptional() }),
  timeout: duration.gt(0),
  concurrency: concurrencyValue,
  retry: z.object({ attempts: retryAttempts, spacing: z.array(duration).min(1), on: z.array(z.enum(RETRY_CAUSES)) }),
  headers: addedHeaders,
  user_agent: headerValue.exactOptional(),
  accept: headerValue.exactOptional(),
  ca: certificateValue.exactOptional(),
  insecure: z.boolean(),
  traceparent: z.boolean().exactOptional(),
});

const organization = z.object({
  name: z.string(),
  location: z.string(),
  website: z.string(),
  office_email: z.string(),
  office_mobile: z.string(),
  top_up_code: z.string(),
  accounts: z.array(z.object({ account: z.string(), service_name: z.string() })),
});

export const rateLimit = z.object({ requests: z.int().min(1), per: duration.gt(0) });

export const senderId = z.string().refine(isSenderId, "must be a sender ID");

export const senderIdGrant = z.object({ sender_id: senderId, carriers: z.array(carrier) });

/** One customer of the gateway: the account's initial state, restored by a reset. */
export const settings = z.object({
  consumer_key: z.string(),
  consumer_secret: z.string(),
  /** Accepts any secret; set for accounts that `auto_accounts` opened. */
  any_secret: z.boolean(),
  balance: sum,
  seed: z.int().min(0).exactOptional(),
  clock: clockSettings,
  callbacks,
  sender_ids: z.array(senderIdGrant),
  organization,
  rate_limit: rateLimit.exactOptional(),
});

/** The settings of an account before a scenario changed them; null where there was none. */
export const settingsBefore = z.object({
  airtime: callbackUrl.nullable().exactOptional(),
  sms: callbackUrl.nullable().exactOptional(),
  rate_limit: rateLimit.nullable().exactOptional(),
  sender_ids: z.array(senderIdGrant).exactOptional(),
});

/** A scenario running on an account. In a list, the highest priority comes first. */
export const runningScenario = z.object({
  /** As written in its file. */
  scenario: z.custom<Scenario>((value) => wrongInScenario(value) === undefined, {
    error: ({ input }) => wrongInScenario(input),
  }),
  /** When it started, on the account's clock. */
  since: moment,
  /** The names of rules that are switched off. */
  off: z.array(z.string()),
  /** The named state it is in; undefined while it is in the first one. */
  state: z.string().exactOptional(),
  /** Whether this machine's owner loaded it, so that its setup's callback URLs may name public hosts. */
  trusted: z.boolean().exactOptional(),
  /** What it replaced, to be restored when it ends. */
  before: settingsBefore.exactOptional(),
});
