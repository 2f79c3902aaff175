import * as z from "zod";
import { optionalKey } from "../document/optional-key.ts";
import { callbackUrlValue, rateLimitValue, senderIdsValue } from "../document/account-values.ts";
import { SINK_URL } from "../domain/settings.ts";
import { carrierValue, phoneNumberKey } from "../document/values.ts";
import { CARRIERS } from "../domain/carrier.ts";
import { formatKes } from "../domain/kes.ts";
import type { Setup } from "../domain/scenario.ts";
import type { SenderIdGrant } from "../domain/settings.ts";
import { formatDuration } from "../domain/time.ts";
import { shillingsValue } from "./values.ts";

/** What the account is changed to when the scenario begins. */
export const setupValue = z
  .strictObject({
    wallet: optionalKey("The wallet.", () => z.strictObject({ balance: shillingsValue.describe("KES that are available at the start.") })),
    sender_ids: optionalKey(
      "Registered sender IDs, instead of the account's own: a text, or a mapping with its carriers.",
      () => senderIdsValue,
    ),
    callbacks: optionalKey("Callback URLs, each instead of the account's own.", () =>
      z.strictObject({
        airtime: optionalKey(`URL for airtime results; ${SINK_URL} delivers inside the sandbox.`, () => callbackUrlValue),
        sms: optionalKey(`URL for delivery reports; ${SINK_URL} delivers inside the sandbox.`, () => callbackUrlValue),
      }),
    ),
    numbers: optionalKey("Phone numbers.", () =>
      z.strictObject({
        ported: optionalKey('The carrier that serves a number, whatever its prefix says: { "254722000111": airtel }.', () =>
          z.record(phoneNumberKey, carrierValue),
        ),
      }),
    ),
    rate_limit: optionalKey("Requests allowed in a period.", () => rateLimitValue),
    identity: optionalKey(
      "What request ids and chances are drawn from, so that a run can be repeated on another account; export?as=scenario writes it.",
      () =>
        z.strictObject({
          seed: z.int().min(0).describe("The seed of the run that is repeated; it comes before the scenario's own."),
          account: z.string().min(1).describe("The consumer key of the account whose run is repeated."),
        }),
    ),
  })
  .transform(({ wallet, sender_ids: senderIds, callbacks, numbers, rate_limit: rateLimit, identity }): Setup => ({
    ...(wallet && { balance: wallet.balance }),
    ...(senderIds && { senderIds }),
    ...(callbacks && { callbacks }),
    ...(numbers?.ported && { ported: numbers.ported }),
    ...(rateLimit && { rateLimit }),
    ...(identity && { identity }),
  }));

/** The setup as it stands in a file. */
export function printSetup({ balance, senderIds, callbacks, ported, rateLimit, identity }: Setup): Record<string, unknown> {
  return {
    ...(balance !== undefined && { wallet: { balance: formatKes(balance) } }),
    ...(senderIds && { sender_ids: senderIds.map(printGrant) }),
    ...(callbacks && { callbacks }),
    ...(ported && { numbers: { ported } }),
    ...(rateLimit && { rate_limit: { requests: rateLimit.requests, per: formatDuration(rateLimit.per) } }),
    ...(identity && { identity }),
  };
}

function printGrant({ senderId, carriers }: SenderIdGrant): unknown {
  return carriers.join() === CARRIERS.join() ? senderId : { sender_id: senderId, carriers };
}
