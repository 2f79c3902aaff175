import { Hono } from "hono";
import * as z from "zod";
import type { DecisionContext } from "../gateway/account/decide/apply-rules.ts";
import { sell } from "../gateway/account/decide/sell.ts";
import { checkRateLimit } from "../gateway/account/rate-limit.ts";
import { isRegistered } from "../gateway/account/state.ts";
import { readOrder } from "../gateway/contract/order.ts";
import { type Carrier, CARRIERS, parsePhoneNumber, routeTo } from "../gateway/domain/carrier.ts";
import { type Operation, type Order, PRODUCTS, quoteOrder } from "../gateway/domain/order.ts";
import { Refused } from "../gateway/domain/refusal.ts";
import { measure } from "../gateway/domain/schemas.ts";
import { type Kes, kesAsNumber } from "../gateway/domain/kes.ts";
import { type SplitSms, splitSms } from "../gateway/domain/sms-parts.ts";
import type { RunningAccount } from "../gateway/engine/account.ts";
import { refuseRevoked } from "../gateway/http/authenticate.ts";
import { RefusedByRule } from "../gateway/scenario/effects.ts";
import { describeRoute } from "./describe-route.ts";
import type { AccountEnv } from "./env.ts";
import { validBody } from "./validate.ts";
import { type Json, moneyJson, optional } from "./json.ts";
import { ruleShape } from "./transactions.ts";

type Fields = Readonly<Record<string, unknown>>;

const dryRunValue = z.strictObject({
  operation: z.enum(PRODUCTS),
  body: z.record(z.string(), z.unknown()).describe("The body of the request, as a client would send it."),
});

export const dryRunShape = z.object({
  outcome: z.enum(["accepted", "refused", "broken"]).describe("broken: a scenario breaks the connection instead."),
  code: z.int().optional().describe("The status_code of the refusal, with its description and errors."),
  description: z.string().optional(),
  validation_errors: z.record(z.string(), z.array(z.string())).optional(),
  hint: z.string().optional(),
  carrier: z.enum(CARRIERS).optional().describe("The carrier of the number, if it has one."),
  ported: z.boolean().optional(),
  price: moneyJson.optional().describe("What the order costs, if it is valid."),
  ...measure.partial().shape,
  texts: z.array(z.string()).optional().describe("The text of each part of an SMS."),
  rules: z.array(ruleShape).describe("The rules of scenarios that would fire."),
  result_code: z.int().optional().describe("What the callback of an accepted order would say."),
  result_desc: z.string().optional(),
});

type DryRun = Json<typeof dryRunShape>;

export const dryRunCalls = new Hono<AccountEnv>().post(
  "/dry-run",
  describeRoute("Read what an order would cost and what would become of it now. Nothing is ordered", dryRunShape),
  validBody(dryRunValue),
  (c) => c.json(dryRun(c.var.account, c.req.valid("json"))),
);

/** Decides an order as a request would, and drops the decision. */
function dryRun(account: RunningAccount, { operation, body }: z.output<typeof dryRunValue>): DryRun {
  const { state } = account;
  const moment = account.moment(account.now());
  const content = { contentType: "application/json", body: Buffer.from(JSON.stringify(body)) };
  const known = understood(operation, body, moment);
  try {
    refuseRevoked(account);
    checkRateLimit(state, moment.at);
    const read = readOrder(operation, content, moment.gateway, (senderId) => isRegistered(state, senderId));
    known.price = priceOf(read.order, read.route.carrier, moment);
    const event = sell(state, read, moment);
    const rules = event.rules?.fired ?? [];
    if (event.kind === "cut") return { outcome: "broken", ...knownJson(known), rules };
    const { carrier, ported, plan } = event;
    const sold = { ...known, carrier, ported, price: priceOf(read.order, carrier, moment) };
    const { resultCode: result_code, resultDesc: result_desc } = plan.result;
    return { outcome: "accepted", ...knownJson(sold), rules, result_code, result_desc };
  } catch (problem) {
    if (!(problem instanceof Refused)) throw problem;
    const { code, message: description, details } = problem;
    const { validationErrors, hint } = details;
    const rules = problem instanceof RefusedByRule ? (problem.rules?.fired ?? []) : [];
    const refused = { code, description, validation_errors: validationErrors, hint };
    return { outcome: "refused", ...refused, ...knownJson(known), rules };
  }
}

/** What can be said of an order, as far as it was understood. */
interface Known {
  readonly carrier?: Carrier;
  readonly ported?: boolean;
  price?: Kes;
  readonly sms?: SplitSms;
}

function knownJson({ carrier, ported, price, sms }: Known): Partial<DryRun> {
  return { carrier, ported, price: optional(price, kesAsNumber), ...sms };
}

function understood(operation: Operation, { phone_number: to, message }: Fields, { gateway }: DecisionContext): Known {
  const phoneNumber = typeof to === "string" ? parsePhoneNumber(to, gateway.phone_numbers) : undefined;
  const { carrier, ported } = (phoneNumber && routeTo(phoneNumber, gateway.numbers)) ?? {};
  const isSms = operation === "sms" && typeof message === "string";
  return { carrier, ported, sms: isSms ? splitSms(message, gateway.ucs2_concatenated) : undefined };
}

function priceOf(order: Order, carrier: Carrier, { gateway }: DecisionContext): Kes {
  return quoteOrder(order, gateway.carriers[carrier], gateway).price;
}
