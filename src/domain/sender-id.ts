/** A short code as Kenyan carriers issue them: 5 or 6 digits. */
const SHORT_CODE = /^\d{5,6}$/;

/** Characters that the originating address field holds: 20 semi-octets, that is 11 septets (3GPP TS 23.040 §9.1.2.5). */
const LONGEST_NAME = 11;

/**
 * The field could hold the whole GSM 7-bit alphabet, but carriers filter most of it. A guess at what passes: letters,
 * digits and the space, which every provider's page allows (for example developers.telnyx.com, "Alphanumeric sender ID"),
 * and the signs that company names need and that are named as usable by some (support.sms.to article 43000513909 for
 * hyphen and underscore; 46elks.fi/kb, "Text sender ID", for the full stop; Twilio's list of permitted characters for &).
 */
const NAME_CHARACTERS = /^[A-Za-z0-9 ._&-]*$/;

/** Whether the text has the form of a short code or of an alphanumeric sender ID; upper and lower case are different IDs. */
export function isSenderId(text: string): boolean {
  return senderIdProblem(text) === undefined;
}

/** Says in a sentence why the text cannot be a sender ID; nothing when it can. */
export function senderIdProblem(text: string): string | undefined {
  if (SHORT_CODE.test(text)) return undefined;
  if (text === "") return "The sender ID is empty.";
  if (/^\d+$/.test(text)) return "A sender ID of digits only is a short code and has 5 or 6 digits.";
  if (!NAME_CHARACTERS.test(text)) return "A sender ID has only the letters A to Z, digits, spaces and the signs . _ - &.";
  if (text.length > LONGEST_NAME) return `A sender ID has at most ${LONGEST_NAME} characters.`;
  if (text.trim() !== text) return "A sender ID neither begins nor ends with a space.";
  return /[A-Za-z]/.test(text) ? undefined : "A sender ID that is not a short code has at least one letter.";
}
