import * as z from "zod";
import { accountValue, type Organization, type RateLimit, type WrittenAccount } from "../../settings/account.ts";
import { formatDuration } from "../../domain/time.ts";
import type { Account } from "../../engine/account.ts";
import { changeAccount } from "../../engine/commands.ts";
import type { World } from "../../engine/world.ts";
import { callbacksJson, callbacksShape } from "./callbacks.ts";
import { clockJson, clockShape } from "./clock.ts";
import { type AccountCall, accountEndpoint, type Endpoint, endpoint, NOTHING } from "./endpoint.ts";
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

function accountDetailJson(account: Account): z.output<typeof accountDetailShape> {
  return { ...accountJson(account), gateway: gatewayJson(account.moment(account.now()).gateway) };
}

export function accountJson(account: Account): z.output<typeof accountShape> {
  const { settings, seed, requests, unresolved } = account.state;
  return {
    consumer_key: account.consumerKey,
    consumer_secret: settings.consumer_secret,
    balance: walletJson(account),
    seed,
    clock: clockJson(account),
    callbacks: callbacksJson(settings.callbacks),
    organization: organizationJson(settings.organization),
    sender_ids: senderIdsJson(account),
    rate_limit: rateLimitJson(settings.rate_limit),
    counts: { requests, evicted: account.evicted, unresolved },
    journal_version: account.version,
  };
}

function organizationJson({
  office_email: officeEmail,
  office_mobile: officeMobile,
  top_up_code: topUpCode,
  accounts,
  ...same
}: Organization): z.output<typeof organizationShape> {
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

/** Makes an account of a description in which anything may be left out; its callback URLs are trusted where the owner's token came along. */
export type OpenAccount = (written: WrittenAccount, trusted: boolean) => Promise<Account>;

const changeValue = z.strictObject({
  consumer_secret: accountValue.shape.consumer_secret,
  organization: accountValue.shape.organization
    .unwrap()
    .exactOptional()
    .describe("The profile that account-details answers with. What is not given is made up from the seed."),
  rate_limit: accountValue.shape.rate_limit
    .unwrap()
    .nullable()
    .describe("Requests allowed in a period; null lifts the limit.")
    .exactOptional(),
});

const CALLED = "/accounts/{account}";
const one = { 200: { description: "The account", schema: accountDetailShape } };

export function accountEndpoints(world: World, openAccount: OpenAccount): Endpoint[] {
  return [...collectionEndpoints(world, openAccount), ...memberEndpoints(world), resetEndpoint(world)];
}

function collectionEndpoints(world: World, openAccount: OpenAccount): Endpoint[] {
  return [
    endpoint(
      {
        method: "get",
        path: "/accounts",
        summary: "List the accounts; the first is the default one",
        query: NOTHING,
        body: NOTHING,
        answers: { 200: { description: "The accounts", schema: z.object({ items: z.array(accountShape), total: z.int() }) } },
      },
      () => ({ items: world.list().map(accountJson), total: world.list().length }),
    ),
    endpoint(
      {
        method: "post",
        path: "/accounts",
        summary: "Open an account; what is left out is made up, key and secret too: what one test takes",
        query: NOTHING,
        body: accountValue,
        answers: { 201: { description: "The account", schema: accountDetailShape } },
      },
      async ({ body, isTrusted }) => {
        const account = await openAccount(body, isTrusted);
        await account.secured();
        const location = `/__admin/accounts/${encodeURIComponent(account.consumerKey)}`;
        return Response.json(accountDetailJson(account), { status: 201, headers: { location } });
      },
    ),
  ];
}

function memberEndpoints(world: World): Endpoint[] {
  return [
    accountEndpoint(
      world,
      { method: "get", path: CALLED, summary: "Read an account", query: NOTHING, body: NOTHING, answers: one },
      ({ account }) => accountDetailJson(account),
    ),
    accountEndpoint(
      world,
      { method: "patch", path: CALLED, summary: "Change the keys that are there", query: NOTHING, body: changeValue, answers: one },
      patchAccount,
    ),
    accountEndpoint(
      world,
      {
        method: "delete",
        path: CALLED,
        summary: "Drop an account with all that it has pending; after the default one, the next is the default",
        query: NOTHING,
        body: NOTHING,
        answers: { 204: { description: "It is gone" } },
      },
      async ({ account }) => {
        world.drop(account);
        return new Response(null, { status: 204 });
      },
    ),
  ];
}

function resetEndpoint(world: World): Endpoint {
  return accountEndpoint(
    world,
    {
      method: "post",
      path: `${CALLED}/reset`,
      summary:
        "Go back to the seed state: wallet, journal, counters, clock; what is pending is cancelled. Settings that were changed stay, but for a rehearsal's",
      query: NOTHING,
      body: NOTHING,
      answers: one,
    },
    async ({ account }) => {
      account.reset();
      return accountDetailJson(account);
    },
  );
}

async function patchAccount({ account, body }: AccountCall<unknown, z.output<typeof changeValue>>) {
  const { consumer_secret: consumerSecret, organization, rate_limit: rateLimit } = body;
  changeAccount(account, {
    ...(consumerSecret !== undefined && { consumerSecret }),
    ...(organization !== undefined && { organization: { ...account.state.settings.organization, ...organization } }),
    ...(rateLimit !== undefined && { rateLimit }),
  });
  return accountDetailJson(account);
}
