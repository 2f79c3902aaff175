declare const phoneNumber: unique symbol;

/** A Kenyan mobile number in international form: 254 and nine digits, the first of which is 7 or 1. */
export type PhoneNumber = string & { readonly [phoneNumber]: true };

/** `document` follows the specification to the letter. `statum` follows what is public about the live gateway where the two differ. */
export type Profile = "document" | "statum";

/**
 * How a recipient's number may be written. The live gateway's own SDKs also accept a leading plus sign, or a local 0 in place of the
 * country code.
 */
export const PHONE_NUMBER_FORMS: Readonly<Record<Profile, RegExp>> = {
  document: /^254[17]\d{8}$/,
  statum: /^(\+?254|0)[17]\d{8}$/,
};

/** Digits of a number without its country code. */
const NATIONAL_DIGITS = 9;

/** Parses a recipient's number in a form that the profile accepts. */
export function parsePhoneNumber(text: string, profile: Profile): PhoneNumber | undefined {
  return PHONE_NUMBER_FORMS[profile].test(text) ? (`254${text.slice(-NATIONAL_DIGITS)}` as PhoneNumber) : undefined;
}

/** Hides three digits for a log ("254712***678"). Anything but a single plain number is hidden completely. */
export function maskPhoneNumber(number: string): string {
  return /^\+?\d{9,15}$/.test(number) ? `${number.slice(0, -6)}***${number.slice(-3)}` : "***";
}
