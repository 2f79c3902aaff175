import * as z from "zod";
import { accountValue } from "../gateway/settings/account.ts";
import { senderIdGrant } from "../gateway/settings/account-settings.ts";
import type { RunningAccount } from "../gateway/engine/account.ts";
import { readCallbacks, callbacksShape } from "./callbacks.ts";
import { readClock, clockShape } from "./clock.ts";
import { type ControlRoute, route, secure } from "./route.ts";
import { readSenderIds } from "./sender-ids.ts";
import { readWallet, walletShape } from "./wallet.ts";
import { CARRIERS, forEachCarrier } from "../gateway/domain/carrier.ts";
import { PROFILES } from "../gateway/settings/readings.ts";
import { duration, money, percent, toJson } from "./to-json.ts";

const carrierShape = z.object({
  discount: percent.describe("Percent taken off the airtime amount."),
  sms_price: money.describe("KES per message part."),
  limits: z.object({ min: money, max: money }).describe("The smallest and largest airtime amount of one request."),
});

/** The settings that decide how an order is counted, routed and priced. */
const gatewayShape = z.object({
  profile: z.enum(PROFILES),
  phone_numbers: z.enum(["strict", "lenient"]),
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
  rate_limit: z.object({ requests: z.int(), per: duration }).nullable(),
  journal_version: z.int().describe("The number of the last event."),
});

/** A single account, with details that a list would only repeat. */
export const accountDetailShape = accountShape.extend({
  gateway: gatewayShape.describe(
    "How orders are counted, routed and priced; the same for all accounts, except for ported numbers.",
  ),
});

function readAccountDetail(account: RunningAccount) {
  return { ...readAccount(account), gateway: account.moment(account.now()).gateway };
}

export function readAccount(account: RunningAccount) {
  const { settings, seed } = account.state;
  return {
    ...settings,
    balance: readWallet(account),
    seed,
    clock: readClock(account),
    callbacks: readCallbacks(settings.callbacks),
    sender_ids: readSenderIds(account),
    journal_version: account.version,
  };
}

export const ACCOUNT_ROUTES: readonly ControlRoute[] = [
  route("GET", "/accounts", {
    summary: "List the accounts. The first is the default account",
    answer: z.object({ items: z.array(accountShape), total: z.int() }),
    serve: ({ world }) => ({ items: world.list().map(readAccount), total: world.list().length }),
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
      return Response.json(toJson(accountDetailShape, readAccountDetail(account)), {
        status: 201,
        headers: { location },
      });
    },
  }),
  route("GET", "/accounts/{account}", {
    summary: "Read an account",
    answer: accountDetailShape,
    serve: ({ account }) => readAccountDetail(account),
  }),
  route("DELETE", "/accounts/{account}", {
    summary:
      "Delete an account and all its pending work. If it was the default account, the next one becomes the default",
    serve: ({ account, world }) => world.drop(account),
  }),
  route("POST", "/accounts/{account}/reset", {
    summary:
      "Reset the wallet, journal, counters and clock to their initial state. Pending work is cancelled. Changed settings stay, except those of a rehearsal",
    answer: accountDetailShape,
    serve({ account }) {
      account.reset();
      return readAccountDetail(account);
    },
  }),
];
