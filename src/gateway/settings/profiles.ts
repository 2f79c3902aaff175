import * as z from "zod";
import { durationValue } from "../document/values.ts";
import type { Immutable } from "../domain/immutable.ts";

export const PROFILES = ["document", "sdk", "observed"] as const;
export type Profile = (typeof PROFILES)[number];

type WrittenProfile = z.output<z.ZodObject<typeof profileShape>>;

/** Settings for what the gateway's specification leaves open, or the live gateway does otherwise. */
export type ProfileSettings = Immutable<{
  [Key in keyof WrittenProfile]-?: Required<NonNullable<WrittenProfile[Key]>>;
}>;

const DOCUMENT: ProfileSettings = {
  request_id: "uuid",
  refusals: { request_id: "id", validation: "full", limits: "fixed" },
  account_details: { top_up_code: "mobilemoney", accounts: "products" },
  phone_numbers: "strict",
  duplicate_window: 0,
  callback_values: "numbers",
};

const SDK: ProfileSettings = {
  ...DOCUMENT,
  refusals: { ...DOCUMENT.refusals, limits: "trimmed" },
  account_details: { top_up_code: "mpesa", accounts: "sender_ids" },
  phone_numbers: "lenient",
};

/** What the live gateway was seen to send from 17 to 21 October 2025 (public-facts.md, "Observed live"). */
const OBSERVED: ProfileSettings = {
  ...SDK,
  request_id: "padded",
  refusals: { ...SDK.refusals, request_id: null, validation: "bare" },
};

/** The three profiles of the gateway, each a table of defaults. */
export const PROFILE_DEFAULTS: Readonly<Record<Profile, ProfileSettings>> = {
  document: DOCUMENT,
  sdk: SDK,
  observed: OBSERVED,
};

/** The settings of a profile that could turn a verdict, each of which a trial may play. */
export const profileChange = z.object({
  request_id: z.enum(["uuid", "padded"]).exactOptional(),
  refusals: z
    .object({
      request_id: z.literal(["id", null]).exactOptional(),
      validation: z.enum(["full", "bare"]).exactOptional(),
    })
    .exactOptional(),
  callback_values: z.enum(["numbers", "text"]).exactOptional(),
});
export type ProfileChange = Immutable<z.output<typeof profileChange>>;

/** Returns the gateway as it is under a changed profile. */
export function withProfileChange<Gateway extends Pick<ProfileSettings, "refusals">>(
  gateway: Gateway,
  change: ProfileChange | undefined,
): Gateway {
  if (change === undefined) return gateway;
  return { ...gateway, ...change, refusals: { ...gateway.refusals, ...change.refusals } };
}

const refusals = z.lazy(() =>
  z.strictObject({
    request_id: z
      .literal(["id", null])
      .exactOptional()
      .describe("Whether a refusal has a request_id, or null. Default id; null with profile observed."),
    validation: z
      .enum(["full", "bare"])
      .exactOptional()
      .describe(
        "Whether a 422 has status_code, description and request_id, or validation_errors alone. Default full; bare with profile observed.",
      ),
    limits: z
      .enum(["fixed", "trimmed"])
      .exactOptional()
      .describe(
        "Whether the sentence about an amount's limits says 5.00 and 10000.00, or 5 and 10000. Default fixed; trimmed with profile sdk and observed.",
      ),
  }),
);

const accountDetails = z.lazy(() =>
  z.strictObject({
    top_up_code: z
      .enum(["mobilemoney", "mpesa"])
      .exactOptional()
      .describe(
        "The beginning of the paybill code's key: mobilemoney_account_top_up_code or mpesa_account_top_up_code. Default mobilemoney; mpesa with profile sdk and observed.",
      ),
    accounts: z
      .enum(["products", "sender_ids"])
      .exactOptional()
      .describe(
        "What accounts lists unless the organization sets it: an account each for airtime and sms, or the registered sender IDs. Default products; sender_ids with profile sdk and observed.",
      ),
  }),
);

/** The keys whose defaults a profile decides. */
export const profileShape = {
  request_id: z
    .enum(["uuid", "padded"])
    .exactOptional()
    .describe(
      "The form of every request_id: a UUID, or 40 characters: the UUID without hyphens between two times four letters or digits. Default uuid; padded with profile observed.",
    ),
  refusals: refusals.default({}).describe("The form of refusals."),
  account_details: accountDetails.default({}).describe("What account-details returns."),
  phone_numbers: z
    .enum(["strict", "lenient"])
    .exactOptional()
    .describe(
      "lenient also accepts a leading plus sign, and a local 0 in place of 254. Default strict; lenient with profile sdk and observed.",
    ),
  duplicate_window: durationValue
    .exactOptional()
    .describe(
      'How long a repeat of the same phone number and amount is refused with 422 after an airtime request; "0" never refuses. Default "0".',
    ),
  callback_values: z
    .enum(["numbers", "text"])
    .exactOptional()
    .describe(
      'Whether a callback\'s result_code, charge and account_balance are numbers, as the specification says, or strings ("200"), which some public integrations expect. Default numbers.',
    ),
};
