import { routeTo, type Route } from "../domain/carrier.ts";
import { type PhoneNumber, parsePhoneNumber } from "../domain/phone-number.ts";
import type { GatewaySettings } from "../domain/settings.ts";
import type { FieldErrors } from "./field-errors.ts";
import type { Fields } from "./json-body.ts";

/** Reads `phone_number` (document 2.1) and finds its carrier. The sentences of all 422s are guesses. */
export function readRecipient(fields: Fields, gateway: GatewaySettings, errors: FieldErrors): Route | undefined {
  const text = errors.text(fields, "phone_number");
  if (text === undefined) return undefined;
  const phoneNumber = parsePhoneNumber(text, gateway.profile);
  if (phoneNumber === undefined) return errors.add("phone_number", FORMS[gateway.profile]);
  return routeTo(phoneNumber, gateway.numbering) ?? errors.add("phone_number", unassigned(phoneNumber));
}

const FORMS: Readonly<Record<GatewaySettings["profile"], string>> = {
  document: "The phone_number must be 254 and nine digits, the first of them 7 or 1, without a plus sign.",
  statum: "The phone_number must have 10 to 12 digits and be a Kenyan mobile number.",
};

function unassigned(phoneNumber: PhoneNumber): string {
  return `The phone_number ${phoneNumber} belongs to none of the supported carriers.`;
}
