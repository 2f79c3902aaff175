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

/** Characters that word processors and phone keyboards insert instead of a plain one, keyed by the plain one. */
const LOOKALIKES: readonly (readonly [spelling: string, characters: string])[] = [
  ["'", "\u2018\u2019\u201a\u201b\u2032\u02b9\u02bb\u02bc`\u00b4"],
  ['"', "\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb"],
  ["<", "\u2039"],
  [">", "\u203a"],
  ["-", "\u2010\u2011\u2012\u2013\u2014\u2015\u2212"],
  ["/", "\u2044\u00f7"],
  ["*", "\u2022\u00b7\u2219"],
  ["x", "\u00d7"],
  [" ", "\t"],
  ["\n", "\u2028\u2029"],
  ["(c)", "\u00a9"],
  ["(R)", "\u00ae"],
  ["1/4", "\u00bc"],
  ["1/2", "\u00bd"],
  ["3/4", "\u00be"],
  // Invisible: soft hyphen, zero-width space, word joiner, byte order mark. The joiners inside emoji are not listed.
  ["", "\u00ad\u200b\u2060\ufeff"],
];

const SPELLINGS: ReadonlyMap<string, string> = new Map(
  LOOKALIKES.flatMap(([spelling, characters]) => Array.from(characters, (character) => [character, spelling] as const)),
);

/** Returns the obvious GSM spelling of a character outside the alphabet: a straight quote, three dots, a letter without accents. */
export function gsmSpelling(character: string): string | undefined {
  return SPELLINGS.get(character) ?? [character.normalize("NFKC"), withoutMarks(character)].find(isSpelling);
}

/** Strips the accents from a letter ("ê" becomes "e"). */
function withoutMarks(character: string): string {
  return /\p{L}/u.test(character) ? character.normalize("NFKD").replace(/\p{M}/gu, "") : character;
}

/** A spacing accent decomposes into a space and the accent, which is no spelling. Only a kind of space may become a space. */
function isSpelling(text: string): boolean {
  return text !== "" && isGsm(text) && (text === " " || !text.includes(" "));
}
