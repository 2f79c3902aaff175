declare const phoneNumber: unique symbol;

/** A Kenyan mobile number in international form: 254 and nine digits, the first of them 7 or 1. */
export type PhoneNumber = string & { readonly [phoneNumber]: true };

/** `document` follows the specification to the letter, `statum` what is public of the live gateway where they differ. */
export type Profile = "document" | "statum";

/**
 * How a recipient's number may be written. The live gateway's own SDKs also let a leading plus through, or a local 0 in place of
 * the country code.
 */
export const PHONE_NUMBER_FORMS: Readonly<Record<Profile, RegExp>> = {
  document: /^254[17]\d{8}$/,
  statum: /^(\+?254|0)[17]\d{8}$/,
};

/** Digits of a number without its country code. */
const NATIONAL_DIGITS = 9;

/** Reads a recipient's number in a form that the profile takes. */
export function parsePhoneNumber(text: string, profile: Profile): PhoneNumber | undefined {
  return PHONE_NUMBER_FORMS[profile].test(text) ? (`254${text.slice(-NATIONAL_DIGITS)}` as PhoneNumber) : undefined;
}

/** Hides three digits for a log ("254712***678"); what is not one plain number is hidden whole. */
export function maskPhoneNumber(number: string): string {
  return /^\+?\d{9,15}$/.test(number) ? `${number.slice(0, -6)}***${number.slice(-3)}` : "***";
}
