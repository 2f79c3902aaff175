import * as z from "zod";
import { routeTo, type Route } from "../domain/carrier.ts";
import { PHONE_NUMBER_FORMS, type PhoneNumber, parsePhoneNumber, type Profile } from "../domain/phone-number.ts";
import type { GatewaySettings } from "../settings/gateway.ts";
import { type FieldErrors, formedField } from "./field-errors.ts";

/** `phone_number` (document 2.1). The wording of every 422 is a guess. */
export function recipientShape(profile: Profile) {
  return formedField("phone_number", PHONE_NUMBER_FORMS[profile], SENTENCES[profile])
    .transform((text) => parsePhoneNumber(text, profile) ?? z.NEVER)
    .describe("Recipient in international format, digits only, no leading plus sign.");
}

const SENTENCES: Readonly<Record<Profile, string>> = {
  document: "The phone_number must be 254 and nine digits, the first of them 7 or 1, without a plus sign.",
  statum: "The phone_number must have 10 to 12 digits and be a Kenyan mobile number.",
};

/** Finds the carrier of a valid number. */
export function routeOf(
  phoneNumber: PhoneNumber | undefined,
  { numbers }: GatewaySettings,
  errors: FieldErrors,
): Route | undefined {
  if (phoneNumber === undefined) return undefined;
  const sentence = `The phone_number ${phoneNumber} belongs to none of the supported carriers.`;
  return routeTo(phoneNumber, numbers) ?? errors.add("phone_number", sentence);
}
