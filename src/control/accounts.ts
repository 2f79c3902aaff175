import * as z from "zod";
import { inForce } from "../gateway/account/state.ts";
import { accountValue } from "../gateway/settings/account.ts";
import { PROFILES } from "../gateway/settings/readings.ts";
import { formatDuration } from "../gateway/domain/time.ts";
import { senderIdGrant } from "../gateway/settings/account-settings.ts";
import type { RunningAccount } from "../gateway/engine/account.ts";
import { callbacksJson, callbacksShape } from "./callbacks.ts";
import { clockJson, clockShape } from "./clock.ts";
import { HttpProblem } from "./problem.ts";
import { type ControlRoute, route, secure } from "./route.ts";
import { walletJson, walletShape } from "./wallet.ts";
import { duration, type Json } from "./json.ts";

export const accountShape = z.object({
  consumer_key: z.string(),
  consumer_secret: z.string(),
  balance: walletShape,
  seed: z.int().describe("The number that fixes ids, delays and outcomes."),
  clock: clockShape,
  callbacks: callbacksShape,
  sender_ids: z.array(senderIdGrant),
  rate_limit: z.object({ requests: z.int(), per: duration }).nullable(),
  profile: z.enum(PROFILES).describe("The profile of the gateway that the sandbox runs."),
  journal_version: z.int().describe("The number of the last event."),
});

export function accountJson(account: RunningAccount): Json<typeof accountShape> {
  const { consumer_key, consumer_secret, callbacks, sender_ids, rate_limit } = inForce(account.state);
  return {
    consumer_key,
    consumer_secret,
    balance: walletJson(account),
    seed: account.state.seed,
    clock: clockJson(account),
    callbacks: callbacksJson(callbacks),
    sender_ids,
    rate_limit:
      rate_limit === undefined ? null : { requests: rate_limit.requests, per: formatDuration(rate_limit.per) },
    profile: account.gateway.profile,
    journal_version: account.journal.version,
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
    answer: accountShape,
    status: 201,
    async serve({ body, isTrusted, openAccount }) {
      const account = await openAccount(body, isTrusted);
      await secure(account, "POST");
      const location = `/__admin/accounts/${encodeURIComponent(account.consumerKey)}`;
      return Response.json(accountJson(account), {
        status: 201,
        headers: { location },
      });
    },
  }),
  route("GET", "/accounts/{account}", {
    summary: "Read an account",
    answer: accountShape,
    serve: ({ account }) => accountJson(account),
  }),
  route("DELETE", "/accounts/{account}", {
    summary:
      "Delete an account and all its pending work. If it was the default account, the next one becomes the default. 409 if it is the only one",
    async serve({ account, world, ownership }) {
      const all = (await ownership?.accounts()) ?? world.list();
      if (all.length === 1) throw new HttpProblem(409, ONLY);
      world.drop(account);
    },
  }),
  route("POST", "/accounts/{account}/reset", {
    summary:
      "Reset the wallet, journal, counters and clock to their initial state. Pending work is cancelled. Changed settings stay, except those of a rehearsal",
    answer: accountShape,
    serve({ account }) {
      account.reset();
      return accountJson(account);
    },
  }),
];

const ONLY = [
  "it is the only account, and without one every request gets 401",
  "open another one first, or reset this one",
] as const;
