import * as z from "zod";
import { amountValue } from "../../gateway/document/values.ts";
import { comparisonOf } from "../../gateway/scenario/comparison.ts";
import { phonePatternValue } from "../../gateway/scenario/values.ts";

const NUMBER_OR_TEXT = { type: ["string", "number"] };

export const countValue = comparisonOf(z.int().min(0));

/** Requests to the gateway, in the form of the control API's verify. */
export const matchValue = z.strictObject({
  operation: z.enum(["airtime", "sms", "account-details", "unknown"]).describe("The endpoint.").exactOptional(),
  phone_number: phonePatternValue.describe("The number, with * for any digits.").exactOptional(),
  amount: amountValue.meta(NUMBER_OR_TEXT).describe("KES of airtime.").exactOptional(),
  sender_id: z.string().meta(NUMBER_OR_TEXT).describe("The sender ID of an SMS.").exactOptional(),
  message: z.string().describe("Part of an SMS's text.").exactOptional(),
  status_code: z.int().describe("The gateway's status code; 0 if a scenario cut the connection.").exactOptional(),
});
