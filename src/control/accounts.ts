import * as z from "zod";
import { accountValue } from "../gateway/settings/account.ts";
import { senderIdGrant } from "../gateway/settings/account-settings.ts";
import { formatDuration } from "../gateway/domain/time.ts";
import type { RunningAccount } from "../gateway/engine/account.ts";
import { callbacksJson, callbacksShape } from "./callbacks.ts";
import { clockJson, clockShape } from "./clock.ts";
import { accountRoute, type ControlRoute, route, secure } from "./route.ts";
import { senderIdsJson } from "./sender-ids.ts";
import { walletJson, walletShape } from "./wallet.ts";
import { CARRIERS, forEachCarrier } from "../gateway/domain/carrier.ts";
import { kesAsNumber } from "../gateway/domain/kes.ts";
import type { CarrierSettings, GatewaySettings } from "../gateway/settings/gateway.ts";
import { money, type Json } from "./values.ts";

const carrierShape = z.object({
  discount: z.number().describe("Percent taken off the airtime amount."),
  sms_price: money.describe("KES per message part."),
  limits: z.object({ min: money, max: money }).describe("The smallest and largest airtime amount of one request."),
});

/** The settings that decide how an order is counted, routed and priced. */
const gatewayShape = z.object({
  profile: z.enum(["document", "statum"]),
  ucs2_concatenated: z
    .literal([70, 67])
    .describe("Characters per part of a multi-part message outside the GSM alphabet."),
  max_sms_parts: z.int(),
  carriers: z.object(forEachCarrier(() => carrierShape)),
  numbers: z.object({
    ported_share: z.number(),
    ported: z.record(z.string(), z.enum(CARRIERS)).describe("Includes numbers ported by active scenarios."),
    prefixes: z.record(z.string(), z.enum(CARRIERS)),
  }),
});

export const accountShape = z.object({
  consumer_key: z.string(),
  consumer_secret: z.string(),
  balance: walletShape,
  seed: z.int().describe("The number that fixes ids, delays and outcomes."),
  clock: clockShape,
  callbacks: callbacksShape,
  sender_ids: z.array(senderIdGrant),
  rate_limit: z.object({ requests: z.int(), per: z.string() }).nullable(),
  journal_version: z.int().describe("The number of the last event."),
});

/** A single account, with details that a list would only repeat. */
export const accountDetailShape = accountShape.extend({
  gateway: gatewayShape.describe(
    "How orders are counted, routed and priced; the same for all accounts, except for ported numbers.",
  ),
});

function accountDetailJson(account: RunningAccount): Json<typeof accountDetailShape> {
  return { ...accountJson(account), gateway: gatewayJson(account.moment(account.now()).gateway) };
}

export function accountJson(account: RunningAccount): Json<typeof accountShape> {
  const { settings, seed } = account.state;
  const { rate_limit: limit } = settings;
  return {
    consumer_key: account.consumerKey,
    consumer_secret: settings.consumer_secret,
    balance: walletJson(account),
    seed,
    clock: clockJson(account),
    callbacks: callbacksJson(settings.callbacks),
    sender_ids: senderIdsJson(account),
    rate_limit: limit === undefined ? null : { requests: limit.requests, per: formatDuration(limit.per) },
    journal_version: account.version,
  };
}

export const ACCOUNT_ROUTES: readonly ControlRoute[] = [
  route("GET", "/accounts", {
    summary: "List the accounts. The first is the default account",
    answer: z.object({ items: z.array(accountShape), total: z.int() }),
    serve: ({ world }) => ({ items: world.list().map(accountJson), total: world.list().length }),
  }),
  route("POST", "/accounts", {
    summary:
      "Open an account, for example one for each test. Omitted keys get generated values, including the credentials",
    body: accountValue,
    answer: accountDetailShape,
    status: 201,
    async serve({ body, isTrusted, openAccount }) {
      const account = await openAccount(body, isTrusted);
      await secure(account, "POST");
      const location = `/__admin/accounts/${encodeURIComponent(account.consumerKey)}`;
      return Response.json(accountDetailJson(account), { status: 201, headers: { location } });
    },
  }),
  accountRoute("GET", "", {
    summary: "Read an account",
    answer: accountDetailShape,
    serve: ({ account }) => accountDetailJson(account),
  }),
  accountRoute("DELETE", "", {
    summary:
      "Delete an account and all its pending work. If it was the default account, the next one becomes the default",
    serve: ({ account, world }) => world.drop(account),
  }),
  accountRoute("POST", "/reset", {
    summary:
      "Reset the wallet, journal, counters and clock to their initial state. Pending work is cancelled. Changed settings stay, except those of a rehearsal",
    answer: accountDetailShape,
    serve({ account }) {
      account.reset();
      return accountDetailJson(account);
    },
  }),
];

export function gatewayJson(gateway: GatewaySettings): Json<typeof gatewayShape> {
  const { profile, ucs2_concatenated, max_sms_parts, carriers, numbers } = gateway;
  const { ported_share, ported, prefixes } = numbers;
  return {
    profile,
    ucs2_concatenated,
    max_sms_parts,
    carriers: forEachCarrier((carrier) => carrierJson(carriers[carrier])),
    numbers: { ported_share, ported, prefixes },
  };
}

function carrierJson({ discount, sms_price: smsPrice, limits }: CarrierSettings): Json<typeof carrierShape> {
  return {
    // The settings store hundredths of a percent.
    discount: discount / 100,
    sms_price: kesAsNumber(smsPrice),
    limits: { min: kesAsNumber(limits.min), max: kesAsNumber(limits.max) },
  };
}
