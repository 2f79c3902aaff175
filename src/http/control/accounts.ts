import * as z from "zod";
import { accountValue, type WrittenAccount } from "../../config/account-schema.ts";
import { resolveAccount } from "../../config/resolve-account.ts";
import type { Account } from "../../engine/account.ts";
import { changeAccount } from "../../engine/commands.ts";
import type { World } from "../../engine/world.ts";
import { type AccountCall, accountEndpoint } from "./account-endpoint.ts";
import { accountDetailJson, accountDetailShape, accountJson, accountShape } from "./account-json.ts";
import { type Endpoint, endpoint, NOTHING } from "./endpoint.ts";

/** Makes an account of a description in which anything may be left out; its callback URLs are trusted where the owner's token came along. */
export type OpenAccount = (written: WrittenAccount, trusted: boolean) => Promise<Account>;

const changeValue = z.strictObject({
  consumer_secret: accountValue.shape.consumer_secret,
  organization: accountValue.shape.organization,
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
        await world.drop(account);
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
      await account.reset();
      return accountDetailJson(account);
    },
  );
}

async function patchAccount({ account, body }: AccountCall<unknown, z.output<typeof changeValue>>): Promise<unknown> {
  const { consumer_secret: consumerSecret, organization, rate_limit: rateLimit } = body;
  const read = resolveAccount(
    { ...(organization && { organization }), ...(rateLimit && { rate_limit: rateLimit }) },
    { clock: { mode: "real" }, trusted: false },
  );
  await changeAccount(account, {
    ...(consumerSecret !== undefined && { consumerSecret }),
    ...(organization !== undefined && { organization: { ...account.state.settings.organization, ...read.organization } }),
    ...(rateLimit !== undefined && { rateLimit: read.rateLimit ?? null }),
  });
  return accountDetailJson(account);
}
