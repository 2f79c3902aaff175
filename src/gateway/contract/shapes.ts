// Separate from the encoders, which the page loads without zod.
import * as z from "zod";
import type { Immutable } from "../domain/immutable.ts";

/** The synchronous response to airtime and SMS requests (document 2.3). */
export const acknowledgmentShape = z.object({
  status_code: z.literal(200).describe("200: accepted and queued; a callback reports the result."),
  description: z.string(),
  request_id: z
    .string()
    .describe("Matches the later callback to the request: a UUID, unless `request_id` says otherwise."),
});
export type Acknowledgment = z.output<typeof acknowledgmentShape>;

/**
 * Any response whose status_code is not 200. Nothing is queued and no callback follows, although there may be a request_id. With
 * `refusals.validation: bare`, a 422 has its errors alone; with `root`, they stand beside status_code.
 */
export const refusalShape = z.looseObject({
  status_code: z.int().optional().describe("Repeats the HTTP status unless `http_status: always_200` is set."),
  description: z.string().optional(),
  validation_errors: z
    .record(z.string(), z.union([z.array(z.string()), z.int()]))
    .optional()
    .describe("With 422: the errors of each field, and status_code with `refusals.validation: nested`."),
  request_id: z.string().nullish().describe("Null with `refusals.request_id: null`."),
});
export type RefusalBody = Immutable<z.output<typeof refusalShape>>;

const organizationDetailsShape = z.object({
  available_balance: z.number().describe("The KES available to spend now."),
  location: z.string(),
  website: z.string(),
  office_email: z.string(),
  office_mobile: z.string().describe("International format with a leading plus sign."),
  mobilemoney_account_top_up_code: z
    .string()
    .optional()
    .describe("The account number to quote at the paybill, with `account_details.top_up_code: mobilemoney`."),
  mpesa_account_top_up_code: z
    .string()
    .optional()
    .describe("The same under the live gateway's field name, with `account_details.top_up_code: mpesa`."),
});

/** The response to account-details (document 2.5). */
export const accountDetailsShape = z.object({
  status_code: z.literal(200),
  description: z.string(),
  request_id: z.string(),
  organization: z.object({
    name: z.string(),
    details: organizationDetailsShape,
    accounts: z.array(z.object({ account: z.string(), service_name: z.string() })),
  }),
});
export type AccountDetails = z.output<typeof accountDetailsShape>;

/** The result callback (document 2.4). */
export const callbackShape = z.object({
  request_id: z.string().describe("The request_id from the acknowledgment."),
  charge: z
    .union([z.number(), z.string()])
    .describe("KES deducted from the wallet; for airtime, the amount minus the discount."),
  account_balance: z.union([z.number(), z.string()]).describe("KES available after the charge."),
  result_code: z
    .union([z.int(), z.string()])
    .describe(
      "200 is success or delivered; any other value is a failure. This and the amounts are numbers, or strings with `callback_values: text`.",
    ),
  result_desc: z.string().describe("The outcome in words."),
});
export type CallbackBody = z.output<typeof callbackShape>;
