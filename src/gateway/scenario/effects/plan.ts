import * as z from "zod";
import type { Immutable } from "../../domain/immutable.ts";
import { carrierResultSchema, kes, span } from "../../domain/schemas.ts";
import { callbackHeaders } from "../../settings/callbacks.ts";
import { contentTypeValue } from "./template-values.ts";
import { CALLBACK_FLAG_KEYS, CALLBACK_FLAGS, type CallbackFlag, type ScriptedCallback } from "./callback-flags.ts";

export const scriptedCallback: z.ZodType<ScriptedCallback> = z.strictObject({
  body: z.string().exactOptional(),
  content_type: contentTypeValue.exactOptional(),
  headers: callbackHeaders.exactOptional(),
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
export type CallbackPlan = Immutable<z.output<typeof callbackPlan>>;

/** What will happen to one accepted request; decided at acceptance. */
export const plan = z.object({
  settleAfter: z.union([span, z.literal("never")]),
  result: carrierResultSchema,
  /** The charge when it settles, limited then to what the wallet can cover. */
  charge: kes,
  /** The parts of an SMS that arrive although it fails, if a scenario sets them. */
  delivered: z.array(z.int()).exactOptional(),
  /** How callbacks are sent, if a scenario changes that from one callback at once. */
  callback: callbackPlan.exactOptional(),
  /** The report of a success that is taken back with its charge. The first delivery that says so sets the time. */
  reversal: carrierResultSchema.exactOptional(),
});
export type Plan = Immutable<z.output<typeof plan>>;

export function flagShape(): Record<CallbackFlag, z.ZodExactOptional<z.ZodBoolean>>;
export function flagShape(): z.ZodRawShape {
  return Object.fromEntries(
    CALLBACK_FLAG_KEYS.map((key) => [key, z.boolean().exactOptional().describe(CALLBACK_FLAGS[key].about)]),
  );
}
