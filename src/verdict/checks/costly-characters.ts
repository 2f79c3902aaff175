import type { Accepted } from "../../gateway/account/events.ts";
import { isGsm } from "../../gateway/domain/gsm-alphabet.ts";
import { cents, formatKes, type Kes } from "../../gateway/domain/kes.ts";
import {
  type CostlyCharacter,
  costlyCharacters as findCostlyCharacters,
  measureSms,
  type SmsMeasure,
} from "../../gateway/domain/sms-parts.ts";
import { type Detector, NOTHING, type Observation } from "./check.ts";
import { requestExchanges } from "./finding.ts";

/** Reports a few characters that made an SMS more expensive. */
export const costlyCharacters: Detector = {
  id: "costly-characters",
  severity: "cost",
  title: "An SMS took more parts because of a few characters",
  why: "One character outside the GSM alphabet turns the whole text into UCS-2, with 70 characters in a part instead of 160 (document 8), and each part is charged.",
  repair:
    "Replace typographic quotes, dashes, ellipses and invisible characters with plain ones before sending. `kredo preview sms TEXT` shows what a text costs.",
  assumes:
    "Quotes, dashes and the like mean the same in their plain form. Texts with letters of another script, accents or emoji are left alone.",
  kinds: ["accepted"],
  watch: () => (event) => (event.kind === "accepted" ? seeAccepted(event) : NOTHING),
};

function seeAccepted({ requestId, order, measure, hold }: Accepted): readonly Observation[] {
  if (order.operation !== "sms" || measure?.encoding !== "UCS-2" || measure.parts === 1 || hold === 0) return NOTHING;
  const cheaper = findCheaperSpelling(order.message, measure.parts);
  if (cheaper === undefined) return NOTHING;
  return [
    {
      subject: cheaper.characters.map(nameOf).join(", "),
      seen: `An SMS of ${measure.characters} characters took ${describePrice(measure.parts, hold)} because of ${cheaper.characters.map(describeCharacter).join(", ")}; ${describeSaving(cheaper, measure, hold)}.`,
      exchanges: requestExchanges([requestId]),
    },
  ];
}

/** The same message in fewer parts, with some characters replaced. */
interface CheaperSpelling {
  readonly characters: readonly ReplacedCharacter[];
  readonly parts: number;
}

interface ReplacedCharacter extends CostlyCharacter {
  readonly cheaper: string;
}

/**
 * Replaces typographic characters if that alone saves parts. Returns undefined if a letter or an emoji needs UCS-2 anyway. Accented letters
 * are never replaced, because they belong to their words.
 */
function findCheaperSpelling(message: string, parts: number): CheaperSpelling | undefined {
  const costly = findCostlyCharacters(message);
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

/** Names a character: "’ (U+2019)", or only the code point of an invisible one. */
function nameOf({ character }: ReplacedCharacter): string {
  const number = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  return /^[\p{L}\p{N}\p{P}\p{S}]/u.test(character) ? `${character} (${number})` : number;
}

function describeCharacter(character: ReplacedCharacter): string {
  return `${nameOf(character)}, ${character.count === 1 ? "once" : `${character.count} times`}`;
}

function describeSaving({ characters, parts }: CheaperSpelling, measure: SmsMeasure, hold: Kes): string {
  const spelled = characters.map(({ cheaper }) => (cheaper === "" ? "nothing" : JSON.stringify(cheaper))).join(", ");
  return `with ${spelled} instead it takes ${describePrice(parts, cents(Math.round((hold / measure.parts) * parts)))}`;
}

function describePrice(parts: number, hold: Kes): string {
  return `${parts} ${parts === 1 ? "part" : "parts"} for KES ${formatKes(hold)}`;
}
