declare const phoneNumber: unique symbol;

/** A Kenyan mobile number in international form: 254 and nine digits, the first of them 7 or 1. */
export type PhoneNumber = string & { readonly [phoneNumber]: true };

/** `document` follows the specification to the letter, `statum` what is public of the live gateway where they differ. */
export type Profile = "document" | "statum";

const INTERNATIONAL = /^254[17]\d{8}$/;

/** What the live gateway's own SDKs let through besides: a leading plus, or a local 0 in place of the country code. */
const AS_DIALLED = /^(?:\+254|0)([17]\d{8})$/;

/** Reads a recipient's number; `document` takes the international form alone, `statum` also a leading plus and a local 0. */
export function parsePhoneNumber(text: string, profile: Profile): PhoneNumber | undefined {
  if (INTERNATIONAL.test(text)) return text as PhoneNumber;
  if (profile === "document") return undefined;
  const [, national] = AS_DIALLED.exec(text) ?? [];
  return national === undefined ? undefined : (`254${national}` as PhoneNumber);
}

/** Hides three digits for a log ("254712***678"); what is not one plain number is hidden whole. */
export function maskPhoneNumber(number: string): string {
  return /^\+?\d{9,15}$/.test(number) ? `${number.slice(0, -6)}***${number.slice(-3)}` : "***";
}
