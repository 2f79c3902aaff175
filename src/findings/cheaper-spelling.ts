import { isGsm } from "../domain/gsm-alphabet.ts";
import { type CostlyCharacter, costlyCharacters, measureSms } from "../domain/sms-parts.ts";

/** A message that would take fewer parts if a few characters were spelled plainly. */
export interface CheaperSpelling {
  readonly characters: readonly SpelledCharacter[];
  readonly parts: number;
}

export interface SpelledCharacter extends CostlyCharacter {
  readonly cheaper: string;
}

/**
 * Spells typographic characters plainly where that alone brings a message to fewer parts; nothing where a letter or an emoji
 * needs UCS-2 anyway. A letter with accents belongs to its word, in a name or in another language, and is no ornament.
 */
export function cheaperSpelling(message: string, parts: number): CheaperSpelling | undefined {
  const costly = costlyCharacters(message);
  const characters = costly.flatMap((each) =>
    each.cheaper === undefined || isAccented(each.character) ? [] : [{ ...each, cheaper: each.cheaper }],
  );
  if (characters.length < costly.length) return undefined;
  const spellings = new Map(characters.map(({ character, cheaper }) => [character, cheaper]));
  const plain = Array.from(message, (character) => spellings.get(character) ?? character).join("");
  const { parts: fewer } = measureSms(plain, 70);
  return isGsm(plain) && fewer < parts ? { characters, parts: fewer } : undefined;
}

function isAccented(character: string): boolean {
  return /^\p{L}\p{M}/u.test(character.normalize("NFKD"));
}
