import * as z from "zod";
import { durationValue } from "../document/values.ts";
import type { Immutable } from "../domain/immutable.ts";
import { REQUEST_ID_FORMS } from "../domain/request-id.ts";
import { MINUTE } from "../domain/time.ts";

export const PROFILES = ["document", "sdk", "observed"] as const;
export type Profile = (typeof PROFILES)[number];

type WrittenProfile = z.output<z.ZodObject<typeof profileShape>>;

/** Settings for what the gateway's specification leaves open, or the live gateway does otherwise. */
export type ProfileSettings = Immutable<{
  [Key in keyof WrittenProfile]-?: Required<NonNullable<WrittenProfile[Key]>>;
}>;

const DOCUMENT: ProfileSettings = {
  request_id: "uuid",
  refusals: { request_id: "id", validation: "full", sentences: "kredo" },
  account_details: { top_up_code: "mobilemoney", accounts: "products" },
  phone_numbers: "strict",
  blank_messages: "accept",
  duplicates: "accept",
  duplicate_window: 5 * MINUTE,
  callback_values: "numbers",
  result_desc: "kredo",
};

/** What the public pages and the SDKs show, and the public code of the gateway's owner and of integrators (public-facts.md). */
const SDK: ProfileSettings = {
  ...DOCUMENT,
  refusals: { ...DOCUMENT.refusals, sentences: "laravel" },
  account_details: { top_up_code: "mpesa", accounts: "sender_ids" },
  phone_numbers: "lenient",
  blank_messages: "refuse",
  result_desc: "statum",
};

/** What the live gateway was seen to send from 17 to 21 October 2025 (public-facts.md, "Observed live"). */
const OBSERVED: ProfileSettings = {
  ...SDK,
  request_id: "padded",
  refusals: { ...SDK.refusals, request_id: null, validation: "bare" },
  // Whoever is refused here sends what both forms take.
  phone_numbers: "digits",
};

/** The three profiles of the gateway, each a table of defaults. */
export const PROFILE_DEFAULTS: Readonly<Record<Profile, ProfileSettings>> = {
  document: DOCUMENT,
  sdk: SDK,
  observed: OBSERVED,
};

const requestIdForm = z.enum(REQUEST_ID_FORMS);
const validationForm = z.enum(["full", "bare", "nested", "root"]);
const duplicateForm = z.enum(["accept", "refuse", "fail_by_callback"]);

/** The settings of a profile that could turn a verdict, each of which a trial may play. */
export const profileChange = z.object({
  request_id: requestIdForm.exactOptional(),
  refusals: z
    .object({
      request_id: z.literal(["id", null]).exactOptional(),
      validation: validationForm.exactOptional(),
    })
    .exactOptional(),
  duplicates: duplicateForm.exactOptional(),
  callback_values: z.enum(["numbers", "text"]).exactOptional(),
});
export type ProfileChange = Immutable<z.output<typeof profileChange>>;

const refusals = z.lazy(() =>
  z.strictObject({
    request_id: z.literal(["id", null]).exactOptional().describe("Whether a refusal has a request_id, or null."),
    validation: validationForm
      .exactOptional()
      .describe(
        "Whether a 422 has validation_errors beside status_code, description and request_id (full), alone (bare), or with status_code among them (nested); or each field's errors beside status_code (root).",
      ),
    sentences: z
      .enum(["kredo", "laravel"])
      .exactOptional()
      .describe(
        'Whether a 422 has sentences that say what to mend, or Laravel\'s defaults, and "Unauthorized" for an unregistered sender ID.',
      ),
  }),
);

const accountDetails = z.lazy(() =>
  z.strictObject({
    top_up_code: z
      .enum(["mobilemoney", "mpesa"])
      .exactOptional()
      .describe(
        "The beginning of the paybill code's key: mobilemoney_account_top_up_code or mpesa_account_top_up_code.",
      ),
    accounts: z
      .enum(["products", "sender_ids"])
      .exactOptional()
      .describe(
        "What accounts lists unless the organization sets it: an account each for airtime and sms, or the registered sender IDs.",
      ),
  }),
);

/** The keys whose defaults a profile decides. `npm run generate` adds the defaults to the descriptions. */
export const profileShape = {
  request_id: requestIdForm
    .exactOptional()
    .describe(
      "The form of every request_id: a UUID; its 32 digits (hex); or these between two times four letters or digits (padded), or five (padded_5).",
    ),
  refusals: refusals.default({}).describe("The form of refusals."),
  account_details: accountDetails.default({}).describe("What account-details returns."),
  phone_numbers: z
    .enum(["strict", "lenient", "digits"])
    .exactOptional()
    .describe("lenient also accepts a leading plus sign, and a local 0 in place of 254; digits only the 0."),
  blank_messages: z
    .enum(["accept", "refuse"])
    .exactOptional()
    .describe("Whether a message of white space alone counts as missing."),
  duplicates: duplicateForm
    .exactOptional()
    .describe(
      "What happens to airtime for the same phone number and amount within duplicate_window: accepted, refused with 422, or accepted and failed by its callback.",
    ),
  duplicate_window: durationValue
    .exactOptional()
    .describe("How long airtime counts as repeated, unless duplicates is accept."),
  callback_values: z
    .enum(["numbers", "text"])
    .exactOptional()
    .describe(
      'Whether a callback\'s result_code, charge and account_balance are numbers, as the specification says, or strings ("200"), which some public integrations expect.',
    ),
  result_desc: z
    .enum(["kredo", "statum"])
    .exactOptional()
    .describe(
      'The result_desc of delivered airtime: "Airtime top-up of KES 50.00 to 254712345678 was successful.", or "You have topped up 254712345678 with Ksh. 50.".',
    ),
};
