import { isGsm } from "./gsm-alphabet.ts";

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
  return /^\p{L}/u.test(character) ? character.normalize("NFKD").replace(/\p{M}/gu, "") : character;
}

/** A spacing accent decomposes into a space and the accent, which is no spelling. Only a kind of space may become a space. */
function isSpelling(text: string): boolean {
  return text !== "" && isGsm(text) && (text === " " || !text.includes(" "));
}
