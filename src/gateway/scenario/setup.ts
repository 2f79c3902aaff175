import * as z from "zod";
import { callbackUrlValue } from "../settings/callbacks.ts";
import { rateLimitValue, senderIdsValue } from "../settings/account.ts";
import { SINK_URL } from "../domain/callback-outcome.ts";
import { carrierValue, phoneNumberKey } from "../document/values.ts";
import { shillingsValue } from "./values.ts";

/** Changes to the account when the scenario starts. */
export const setupSchema = z.strictObject({
  wallet: z
    .strictObject({ balance: shillingsValue.describe("KES available at the start.") })
    .exactOptional()
    .describe("The wallet."),
  sender_ids: senderIdsValue
    .exactOptional()
    .describe("Registered sender IDs, instead of the account's own: each a string, or a mapping with its carriers."),
  callbacks: z
    .strictObject({
      airtime: callbackUrlValue
        .exactOptional()
        .describe(`URL for airtime results; ${SINK_URL} delivers inside the sandbox.`),
      sms: callbackUrlValue
        .exactOptional()
        .describe(`URL for delivery reports; ${SINK_URL} delivers inside the sandbox.`),
    })
    .exactOptional()
    .describe("Callback URLs, instead of the account's own."),
  numbers: z
    .strictObject({
      ported: z
        .record(phoneNumberKey, carrierValue)
        .exactOptional()
        .describe('The carrier that serves a number, regardless of its prefix: { "254722000111": airtel }.'),
    })
    .exactOptional()
    .describe("Phone numbers."),
  rate_limit: rateLimitValue.exactOptional().describe("Requests allowed per period."),
});
