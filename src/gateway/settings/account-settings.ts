import * as z from "zod";
import type { Immutable } from "../domain/immutable.ts";
import { carrierSchema, duration, senderIdSchema, sum } from "../domain/schemas.ts";
import { callbacks, callbackUrls } from "./callbacks.ts";
import { clockSettings } from "./clock.ts";
import { profileChange } from "./profiles.ts";

/** What is not set is invented when account-details is first requested. The code always is, because the page shows it. */
const organization = z.object({
  name: z.string().exactOptional(),
  location: z.string().exactOptional(),
  website: z.string().exactOptional(),
  office_email: z.string().exactOptional(),
  office_mobile: z.string().exactOptional(),
  top_up_code: z.string(),
  accounts: z.array(z.object({ account: z.string(), service_name: z.string() })).exactOptional(),
});
type KnownOrganization = Immutable<z.output<typeof organization>>;

/** Has no accounts if account-details lists the registered sender IDs. */
export type Organization = Required<Omit<KnownOrganization, "accounts">> & Pick<KnownOrganization, "accounts">;

export const rateLimit = z.object({ requests: z.int().min(1), per: duration.gt(0) });
export type RateLimit = Immutable<z.output<typeof rateLimit>>;

export const senderIdGrant = z.object({ sender_id: senderIdSchema, carriers: z.array(carrierSchema) });
export type SenderIdGrant = Immutable<z.output<typeof senderIdGrant>>;

/** One customer of the gateway: the account's initial state, restored by a reset. */
export const settings = z.object({
  consumer_key: z.string(),
  consumer_secret: z.string(),
  /** Accepts any secret; set for accounts that `auto_accounts` opened. */
  any_secret: z.boolean(),
  balance: sum,
  seed: z.int().min(0).exactOptional(),
  clock: clockSettings,
  callbacks,
  sender_ids: z.array(senderIdGrant),
  organization,
  rate_limit: rateLimit.exactOptional(),
  /** How the gateway treats this account otherwise than its settings say, while a trial plays another profile. */
  profile_change: profileChange.exactOptional(),
});
export type AccountSettings = Immutable<z.output<typeof settings>>;

/** What a running scenario lays over the account's own settings, by its setup and by the steps of its timeline. */
export const overlay = z.object({
  urls: callbackUrls.exactOptional(),
  /** `null` lifts the limit. */
  rate_limit: rateLimit.nullable().exactOptional(),
  sender_ids: z.array(senderIdGrant).exactOptional(),
  ported: z.record(z.string(), carrierSchema).exactOptional(),
  credentials: z.union([z.enum(["revoked", "restored"]), z.strictObject({ secret: z.string() })]).exactOptional(),
  sender_id: z.record(senderIdSchema, z.enum(["revoked", "restored"])).exactOptional(),
  carrier: z.partialRecord(carrierSchema, z.enum(["down", "up"])).exactOptional(),
});
export type Overlay = Immutable<z.output<typeof overlay>>;
