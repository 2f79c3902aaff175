import * as z from "zod";
import type { Immutable } from "../domain/immutable.ts";
import { moment } from "../domain/schemas.ts";
import { settings } from "../settings/account-settings.ts";
import { callbacks, urlUses } from "../settings/callbacks.ts";
import { clockState } from "../settings/clock.ts";

// What can happen to an account's settings.

/**
 * Somebody changed where results are sent. `callbacks` are the account's own. The `registered` ones, set or removed, also take the place of
 * those that scenarios have set.
 */
export const callbacksChanged = z.object({
  kind: z.literal("callbacks-changed"),
  at: moment,
  callbacks,
  registered: urlUses,
});
export type CallbacksChanged = Immutable<z.output<typeof callbacksChanged>>;

/**
 * Somebody replaced the account's secret, and what scenarios had made of its credentials. In an imported journal, these are the credentials of
 * the account that imports it.
 */
export const credentialsChanged = settings
  .pick({ consumer_secret: true, any_secret: true })
  .extend({ kind: z.literal("credentials-changed"), at: moment });
export type CredentialsChanged = Immutable<z.output<typeof credentialsChanged>>;

/** The clock was changed, or a manual clock reached a moment at which nothing else happened. */
export const clockChanged = z.object({ kind: z.literal("clock-changed"), at: moment, clock: clockState });
export type ClockChanged = Immutable<z.output<typeof clockChanged>>;
