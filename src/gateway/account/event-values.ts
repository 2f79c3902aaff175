import * as z from "zod";
import { CARRIERS } from "../domain/carrier.ts";
import type { CallbackOutcome } from "../domain/callback-outcome.ts";
import type { RunningScenario } from "../scenario/running-scenario.ts";
import type { Immutable } from "../domain/immutable.ts";
import type { Kes } from "../domain/kes.ts";
import type { Order } from "../domain/order.ts";
import type { ScriptedCallback } from "../scenario/effects/callback-flags.ts";
import type { Plan, PlannedDelivery } from "../scenario/plan.ts";
import type { Scenario } from "../scenario/schema.ts";
import { wrongInScenario } from "../scenario/read-scenario.ts";
import type { AccountSettings, Organization, RateLimit } from "../settings/account.ts";
import type { CallbackSettings } from "../settings/callbacks.ts";
import type { SmsMeasure } from "../domain/sms-parts.ts";
import type { ClockState } from "./clock.ts";

// Schemas for event fields whose types belong to the domain. Each checks as much as the fold and the readings rely on.

/** Gives a schema the type of a domain value; the compiler compares the two. */
export function valueOf<Value>() {
  return <Check extends z.ZodType>(check: Check & (Value extends Immutable<z.output<Check>> ? unknown : never)) =>
    z.custom<Value>().superRefine((value, context) => {
      for (const { path, message } of check.safeParse(value).error?.issues ?? [])
        context.addIssue({ code: "custom", path, message });
    });
}

export const moment = z.number();
export const requestId = z.string();
export const carrier = z.enum(CARRIERS);

const wholeCents = z.int();
export const kes = valueOf<Kes>()(wholeCents);
/** An amount that is never negative. */
export const sum = valueOf<Kes>()(wholeCents.min(0));

export const order = valueOf<Order>()(
  z.discriminatedUnion("operation", [
    z.object({ operation: z.literal("airtime"), phoneNumber: z.string(), amount: wholeCents }),
    z.object({ operation: z.literal("sms"), phoneNumber: z.string(), message: z.string(), senderId: z.string() }),
  ]),
);

export const measure = valueOf<SmsMeasure>()(
  z.object({ encoding: z.enum(["GSM-7", "UCS-2"]), characters: z.int(), units: z.int(), parts: z.int() }),
);

export const scriptedCallback = z.custom<ScriptedCallback>((value) => typeof value === "object" && value !== null);

const plannedDelivery = z.object({ after: z.number(), scripted: scriptedCallback });
export const deliveries = valueOf<readonly PlannedDelivery[]>()(z.array(plannedDelivery));

export const plan = valueOf<Plan>()(
  z.object({
    settleAfter: z.union([z.number(), z.literal("never")]),
    callback: z
      .object({ deliveries: z.array(plannedDelivery), before_ack: z.boolean(), reorder: z.int() })
      .exactOptional(),
    result: z.object({ outcome: z.string(), resultCode: z.int(), resultDesc: z.string() }),
    charge: wholeCents,
    delivered: z.array(z.int()).exactOptional(),
  }),
);

export const outcome = valueOf<CallbackOutcome>()(z.object({ kind: z.string() }));

export const clock = valueOf<ClockState>()(
  z.discriminatedUnion("mode", [
    z.object({ mode: z.literal("real") }),
    z.object({ mode: z.literal("scaled"), scale: z.number().gt(0), from: moment, wallFrom: moment }),
    z.object({ mode: z.literal("manual"), from: moment }),
  ]),
);

const texts = z.record(z.string(), z.string());
export const headers = valueOf<Readonly<Record<string, string>>>()(texts);

const callbackUrl = z.object({ url: z.string(), trusted: z.boolean() });
const callbackUrls = z.strictObject({ airtime: callbackUrl.exactOptional(), sms: callbackUrl.exactOptional() });
export const callbacks = valueOf<CallbackSettings>()(
  z.object({
    urls: callbackUrls,
    timeout: z.number(),
    concurrency: z.int().min(1),
    retry: z.object({ attempts: z.int(), spacing: z.array(z.number()), on: z.array(z.string()) }),
    headers: texts,
    user_agent: z.string().exactOptional(),
    accept: z.string().exactOptional(),
    insecure: z.boolean(),
    traceparent: z.boolean().exactOptional(),
  }),
);

const organization = valueOf<Organization>()(
  z.object({ name: z.string(), accounts: z.array(z.object({ account: z.string(), service_name: z.string() })) }),
);

export const rateLimit = valueOf<RateLimit>()(z.object({ requests: z.int().min(1), per: z.number().gt(0) }));

export const senderIdGrant = z.object({ sender_id: z.string(), carriers: z.array(carrier) });

export const settings = valueOf<AccountSettings>()(
  z.object({
    consumer_key: z.string(),
    consumer_secret: z.string(),
    any_secret: z.boolean(),
    balance: wholeCents,
    clock: z.object({ mode: z.enum(["real", "scaled", "manual"]) }),
    callbacks,
    sender_ids: z.array(senderIdGrant),
    organization,
    rate_limit: rateLimit.exactOptional(),
  }),
);

export const runningScenario = valueOf<RunningScenario>()(
  z.object({
    scenario: z.custom<Scenario>((value) => wrongInScenario(value) === undefined, {
      error: ({ input }) => wrongInScenario(input),
    }),
    since: moment,
    off: z.array(z.string()),
    state: z.string().exactOptional(),
    trusted: z.boolean().exactOptional(),
    before: z
      .object({
        airtime: callbackUrl.nullable().exactOptional(),
        sms: callbackUrl.nullable().exactOptional(),
        rate_limit: rateLimit.nullable().exactOptional(),
        sender_ids: z.array(senderIdGrant).exactOptional(),
      })
      .exactOptional(),
  }),
);
