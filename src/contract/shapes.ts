// Apart from what reads and writes these bodies, which needs no zod: the gateway starts without it.
import * as z from "zod";

const phoneNumber = z.lazy(() =>
  z
    .string()
    .regex(/^254[17]\d{8}$/)
    .describe("Recipient in international format, digits only, no leading plus sign."),
);

/** The body of an airtime request (document 2.1). For OpenAPI; `readAirtimeOrder` is what reads it. */
export const airtimeShape = z.lazy(() =>
  z.object({
    phone_number: phoneNumber,
    amount: z
      .string()
      .regex(/^\d{1,13}(\.\d{1,2})?$/)
      .describe("KES as a string, within the carrier's limits."),
  }),
);

/** The body of an SMS request (document 2.2). Registered for OpenAPI; `readSmsOrder` is what reads it. */
export const smsShape = z.lazy(() =>
  z.object({
    phone_number: phoneNumber,
    message: z.string().min(1).describe("The text; 160 characters in one part, or 70 where one of them is outside the GSM alphabet."),
    sender_id: z.string().min(1).describe("A registered custom sender ID or short code; case sensitive."),
  }),
);

/** The synchronous answer to airtime and SMS (document 2.3). */
export const acknowledgmentShape = z.lazy(() =>
  z.object({
    status_code: z.literal(200).describe("200: accepted and queued; the result comes by callback."),
    description: z.string(),
    request_id: z.uuid().describe("Matches the later callback to the request."),
  }),
);

/** Any answer whose status_code is not 200: nothing is queued, and no callback follows although there is a request_id. */
export const refusalShape = z.lazy(() =>
  z.object({
    status_code: z.int().describe("Repeats the HTTP status unless `http_status: always_200` is set."),
    description: z.string(),
    validation_errors: z.record(z.string(), z.array(z.string())).optional().describe("With 422: from field to what is wrong with it."),
    request_id: z.uuid(),
  }),
);

const organizationDetailsShape = z.lazy(() =>
  z.object({
    available_balance: z.number().describe("KES that can be spent now."),
    location: z.string(),
    website: z.string(),
    office_email: z.string(),
    office_mobile: z.string().describe("International format with a leading plus sign."),
    mobilemoney_account_top_up_code: z.string().optional().describe("What to quote to the paybill; in `profile: document`."),
    mpesa_account_top_up_code: z.string().optional().describe("The same under its live name; in `profile: statum`."),
  }),
);

/** The answer to account-details (document 2.5). */
export const accountDetailsShape = z.lazy(() =>
  z.object({
    status_code: z.literal(200),
    description: z.string(),
    request_id: z.uuid(),
    organization: z.object({
      name: z.string(),
      details: organizationDetailsShape,
      accounts: z.array(z.object({ account: z.string(), service_name: z.string() })),
    }),
  }),
);

/** The result callback (document 2.4). */
export const callbackShape = z.lazy(() =>
  z.object({
    request_id: z.uuid().describe("The identifier that the acknowledgment carried."),
    charge: z.number().describe("KES really deducted from the wallet; for airtime the amount minus the discount."),
    account_balance: z.number().describe("KES available after the charge."),
    result_code: z.int().describe("200 is success or delivered; any other value is a failure."),
    result_desc: z.string().describe("The outcome in words."),
  }),
);
