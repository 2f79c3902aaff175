import { Hono } from "hono";
import * as z from "zod";
import { type WireForm, wireFormOf } from "../gateway/account/wire.ts";
import { settingsInForce } from "../gateway/account/state.ts";
import { rotateSecret } from "../gateway/engine/commands.ts";
import { accountValue, consumerSecretValue } from "../gateway/settings/account.ts";
import { PROFILES } from "../gateway/settings/profiles.ts";
import { formatDuration } from "../gateway/domain/time.ts";
import { senderIdGrant } from "../gateway/settings/account-settings.ts";
import type { RunningAccount } from "../gateway/engine/account.ts";
import type { World } from "../gateway/engine/world.ts";
import { callbacksJson, callbacksShape } from "./callbacks.ts";
import { clockJson, clockShape } from "./clock.ts";
import { HttpProblem } from "./problem.ts";
import { describeRoute } from "./describe-route.ts";
import type { AccountEnv, ControlEnv } from "./env.ts";
import { secure } from "./account.ts";
import { validBody } from "./validate.ts";
import { walletJson, walletShape } from "./wallet.ts";
import { durationJson, type Json } from "./json.ts";

export const accountShape = z.object({
  consumer_key: z.string(),
  consumer_secret: z.string(),
  balance: walletShape,
  seed: z.int().describe("The number that fixes ids, delays and outcomes."),
  clock: clockShape,
  callbacks: callbacksShape,
  sender_ids: z.array(senderIdGrant),
  rate_limit: z.object({ requests: z.int(), per: durationJson }).nullable(),
  profile: z.enum(PROFILES).describe("The profile of the gateway that the sandbox runs."),
  form: z.custom<WireForm>().meta({ type: "object" }).describe("The settings that decide the bytes that it sends."),
  journal_version: z.int().describe("The number of the last event."),
});

export function accountJson(account: RunningAccount): Json<typeof accountShape> {
  const { consumer_key, consumer_secret, callbacks, sender_ids, rate_limit } = settingsInForce(account.state);
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
    form: wireFormOf(account.gateway),
    journal_version: account.journal.version,
  };
}

const rotationValue = z.strictObject({
  consumer_secret: consumerSecretValue.describe("The new secret. Default: a generated one.").exactOptional(),
});

/** With a seed, an account's journal always gives the same secret, because its export contains it. */
function inventSecret(account: RunningAccount, world: World): string {
  const { settings, events } = account.state;
  const { random } = account.moment(account.now());
  const id = settings.seed === undefined ? world.freshId() : random.digest(`${settings.seed}|secret ${events}`).uuid();
  return id.replaceAll("-", "");
}

export const accountsCalls = new Hono<ControlEnv>()
  .get(
    "/",
    describeRoute(
      "List the accounts. The first is the default account",
      z.object({ items: z.array(accountShape), total: z.int() }),
    ),
    (c) => {
      const items = c.var.services.world.list().map(accountJson);
      return c.json({ items, total: items.length });
    },
  )
  .post(
    "/",
    describeRoute(
      "Open an account, for example one for each test. Omitted keys get generated values, including the credentials",
      accountShape,
      { status: 201 },
    ),
    validBody(accountValue),
    async (c) => {
      const account = await c.var.services.openAccount(c.req.valid("json"), c.var.isTrusted);
      await secure(account, "POST");
      const location = `/__admin/accounts/${encodeURIComponent(account.consumerKey)}`;
      return c.json(accountJson(account), 201, { location });
    },
  );

export const accountCalls = new Hono<AccountEnv>()
  .get("/", describeRoute("Read an account", accountShape), (c) => c.json(accountJson(c.var.account)))
  .delete(
    "/",
    describeRoute(
      "Delete an account and all its pending work. If it was the default account, the next one becomes the default. 409 if it is the only one",
    ),
    async (c) => {
      const { world, ownership } = c.var.services;
      const all = (await ownership?.accounts()) ?? world.list();
      if (all.length === 1) throw new HttpProblem(409, ONLY);
      world.drop(c.var.account);
      return c.body(null, 204);
    },
  )
  .put(
    "/credentials",
    describeRoute(
      "Rotate the consumer secret: from now on the former one gets 401, even after a reset. Without consumer_secret, one is generated",
      accountShape,
    ),
    validBody(rotationValue),
    (c) => {
      const { account, services } = c.var;
      rotateSecret(account, c.req.valid("json").consumer_secret ?? inventSecret(account, services.world));
      return c.json(accountJson(account));
    },
  )
  .post(
    "/reset",
    describeRoute(
      "Reset the wallet, journal, counters and clock to their initial state. Pending work is cancelled. Changed settings stay, except those of a rehearsal",
      accountShape,
    ),
    (c) => {
      c.var.account.reset();
      return c.json(accountJson(c.var.account));
    },
  );

const ONLY = [
  "it is the only account, and without one every request gets 401",
  "open another one first, or reset this one",
] as const;
