import * as z from "zod";
import { CARRIERS, type PhoneNumber } from "./carrier.ts";
import type { Kes } from "./kes.ts";
import { isSenderId } from "./sender-id.ts";
import { LAST_MOMENT, LONGEST_DURATION } from "./time.ts";

// The domain's values as events and snapshots keep them. Apart from the functions on them, because the dashboard bundles those without zod.

/** At most a thousand deliveries, each the longest duration after the one before. */
const LONGEST_SPAN = 2_000 * LONGEST_DURATION;

/** Time that was drawn, planned or measured. */
export const span = z.number().min(0).max(LONGEST_SPAN);

/** Since 1970, and as far as a clock may go, with room for what is planned after it. */
export const moment = z
  .number()
  .min(0)
  .max(LAST_MOMENT + LONGEST_SPAN);

/** A duration as a setting. */
export const duration = z.number().min(0).max(LONGEST_DURATION);

/** An id of the gateway's own making. */
export const requestId = z.string().regex(/^[\x20-\x7e]{1,200}$/, "must be 1 to 200 printable ASCII characters");
export const carrierSchema = z.enum(CARRIERS);

export const kes = z.int().pipe(z.custom<Kes>());
/** An amount that is never negative. */
export const sum = z.int().min(0).pipe(z.custom<Kes>());

const phoneNumber = z.string().pipe(z.custom<PhoneNumber>());

export const airtimeOrder = z.object({ operation: z.literal("airtime"), phoneNumber, amount: sum });
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

/** The carrier's final result of a transaction. */
export const carrierResultSchema = z.object({
  outcome: z.enum(["success", "failed", "rejected", "not_on_network", "timed_out", "insufficient_funds", "duplicate"]),
  resultCode: z.int(),
  resultDesc: z.string(),
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
  z.object({ kind: z.literal("tls"), reason: z.string() }),
  /** Never sent: the rules for outgoing calls forbid it, or its URL or headers cannot be sent. */
  z.object({ kind: z.literal("blocked"), reason: z.string() }),
  /** Given up because the sandbox stopped or the account was reset. */
  z.object({ kind: z.literal("abandoned") }),
]);

export const headers = z.record(z.string(), z.string());

export const senderIdSchema = z.string().refine(isSenderId, "must be a sender ID");
