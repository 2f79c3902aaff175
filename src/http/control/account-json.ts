import * as z from "zod";
import type { Organization, RateLimit } from "../../domain/settings.ts";
import { formatDuration } from "../../domain/time.ts";
import type { Account } from "../../engine/account.ts";
import { callbacksJson, callbacksShape } from "./callbacks.ts";
import { clockJson, clockShape } from "./clock.ts";
import { gatewayJson, gatewayShape } from "./gateway-json.ts";
import { senderIdShape, senderIdsJson } from "./sender-ids.ts";
import { walletJson, walletShape } from "./wallet.ts";

const organizationShape = z.object({
  name: z.string(),
  location: z.string(),
  website: z.string(),
  office_email: z.string(),
  office_mobile: z.string(),
  top_up_code: z.string(),
  accounts: z.array(z.object({ account: z.string(), service_name: z.string() })),
});

export const accountShape = z.object({
  consumer_key: z.string(),
  consumer_secret: z.string(),
  balance: walletShape,
  seed: z.int().describe("What fixes ids, delays and outcomes."),
  clock: clockShape,
  callbacks: callbacksShape,
  organization: organizationShape,
  sender_ids: z.array(senderIdShape),
  rate_limit: z.object({ requests: z.int(), per: z.string() }).nullable(),
  counts: z.object({
    requests: z.int().describe("Requests since the account was opened or reset."),
    evicted: z.int().describe("Those of them that can no longer be looked up."),
    unresolved: z.int().describe("Transactions with something still to come."),
  }),
  journal_version: z.int().describe("The number of the last event."),
});

/** One account alone: what a list would only repeat comes with it. */
export const accountDetailShape = accountShape.extend({
  gateway: gatewayShape.describe("How orders are counted, routed and priced; the same for all accounts, ported numbers apart."),
});

export function accountDetailJson(account: Account): z.output<typeof accountDetailShape> {
  return { ...accountJson(account), gateway: gatewayJson(account.moment(account.now()).gateway) };
}

export function accountJson(account: Account): z.output<typeof accountShape> {
  const { settings, seed, requests, unresolved } = account.state;
  return {
    consumer_key: account.consumerKey,
    consumer_secret: settings.consumerSecret,
    balance: walletJson(account),
    seed,
    clock: clockJson(account),
    callbacks: callbacksJson(settings.callbacks),
    organization: organizationJson(settings.organization),
    sender_ids: senderIdsJson(account),
    rate_limit: rateLimitJson(settings.rateLimit),
    counts: { requests, evicted: account.evicted, unresolved },
    journal_version: account.version,
  };
}

function organizationJson({ officeEmail, officeMobile, topUpCode, accounts, ...same }: Organization): z.output<typeof organizationShape> {
  return {
    name: same.name,
    location: same.location,
    website: same.website,
    office_email: officeEmail,
    office_mobile: officeMobile,
    top_up_code: topUpCode,
    accounts: [...accounts],
  };
}

function rateLimitJson(limit: RateLimit | undefined): z.output<typeof accountShape>["rate_limit"] {
  return limit === undefined ? null : { requests: limit.requests, per: formatDuration(limit.per) };
}
