/** The GSM 7-bit default alphabet without its escape, in table order (3GPP TS 23.038 §6.2.1). */
const DEFAULT_ALPHABET =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";

/** The extension table: each of these is sent as the escape and a second septet (3GPP TS 23.038 §6.2.1.1). */
const EXTENSION_TABLE = "\f^{}\\[~]|€";

const SEPTETS = listSeptets();

/** Returns the septets that a UTF-16 unit takes: 1, 2 with the escape, or 0 if it is outside the GSM alphabet. */
export function septetsOf(unit: number): number {
  return SEPTETS[unit] ?? 0;
}

export function isGsm(text: string): boolean {
  return countSeptets(text) !== undefined;
}

/** Counts the septets of a text; returns undefined if any character is outside the GSM alphabet. */
export function countSeptets(text: string): number | undefined {
  let count = 0;
  for (let index = 0; index < text.length; index += 1) {
    const septets = septetsOf(text.charCodeAt(index));
    if (septets === 0) return undefined;
    count += septets;
  }
  return count;
}

/** Septets by UTF-16 unit, up to the highest one in GSM: the euro sign. */
function listSeptets(): Uint8Array {
  const septets = new Uint8Array("€".charCodeAt(0) + 1);
  for (const character of DEFAULT_ALPHABET) septets[character.charCodeAt(0)] = 1;
  for (const character of EXTENSION_TABLE) septets[character.charCodeAt(0)] = 2;
  return septets;
}
