/** A short code as issued by Kenyan carriers: 5 or 6 digits. */
const SHORT_CODE = /^\d{5,6}$/;

/** The most characters in the originating address field: 20 semi-octets, which is 11 septets (3GPP TS 23.040 §9.1.2.5). */
const LONGEST_NAME = 11;

/**
 * The field could carry the whole GSM 7-bit alphabet, but carriers filter most of it. A guess at what gets through: letters, digits and
 * spaces, which every provider's page allows (for example developers.telnyx.com, "Alphanumeric sender ID"), and the signs needed in company
 * names that some providers list as usable (support.sms.to article 43000513909 for hyphen and underscore; 46elks.fi/kb, "Text sender ID",
 * for the full stop; Twilio's list of permitted characters for &).
 */
const NAME_CHARACTERS = /^[A-Za-z0-9 ._&-]*$/;

/** Returns whether the text is a valid short code or alphanumeric sender ID. Sender IDs are case-sensitive. */
export function isSenderId(text: string): boolean {
  return senderIdProblem(text) === undefined;
}

/** Returns a sentence that says why the text cannot be a sender ID; undefined if it can. */
export function senderIdProblem(text: string): string | undefined {
  if (SHORT_CODE.test(text)) return undefined;
  if (text === "") return "The sender ID is empty.";
  if (/^\d+$/.test(text)) return "A sender ID of digits only is a short code and has 5 or 6 digits.";
  if (!NAME_CHARACTERS.test(text))
    return "A sender ID has only the letters A to Z, digits, spaces and the signs . _ - &.";
  if (text.length > LONGEST_NAME) return `A sender ID has at most ${LONGEST_NAME} characters.`;
  if (text.trim() !== text) return "A sender ID neither begins nor ends with a space.";
  return /[A-Za-z]/.test(text) ? undefined : "A sender ID that is not a short code has at least one letter.";
}
