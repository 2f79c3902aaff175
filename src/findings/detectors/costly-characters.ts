import type { Accepted } from "../../account/events.ts";
import { cents, formatKes, type Kes } from "../../domain/kes.ts";
import type { SmsMeasure } from "../../domain/sms-parts.ts";
import { type CheaperSpelling, cheaperSpelling, type SpelledCharacter } from "../cheaper-spelling.ts";
import { type Detector, NOTHING, type Sighting } from "../detector.ts";
import { requestExchanges } from "../request-exchanges.ts";

/** A few characters made an SMS dearer. */
export const costlyCharacters: Detector = {
  id: "costly-characters",
  severity: "cost",
  title: "An SMS took more parts because of a few characters",
  why: "One character outside the GSM alphabet sends the whole text as UCS-2, with 70 characters in a part instead of 160 (document 8), and each part is charged.",
  mend: "Replace typographic quotes, dashes, ellipses and invisible characters by plain ones before sending; `kredo preview sms TEXT` shows what a text costs.",
  assumes:
    "Quotes, dashes and the like mean the same in their plain form. Texts with letters of another script, accents or emoji are left alone.",
  kinds: ["accepted"],
  watch: () => (event) => (event.kind === "accepted" ? seeAccepted(event) : NOTHING),
};

function seeAccepted({ requestId, order, measure, hold }: Accepted): readonly Sighting[] {
  if (order.operation !== "sms" || measure?.encoding !== "UCS-2" || measure.parts === 1 || hold === 0) return NOTHING;
  const cheaper = cheaperSpelling(order.message, measure.parts);
  if (cheaper === undefined) return NOTHING;
  return [
    {
      subject: cheaper.characters.map(nameOf).join(", "),
      seen: `An SMS of ${measure.characters} characters took ${price(measure.parts, hold)} because of ${cheaper.characters.map(describe).join(", ")}; ${saving(cheaper, measure, hold)}.`,
      exchanges: requestExchanges([requestId]),
    },
  ];
}

/** "’ (U+2019)"; an invisible one has its number alone. */
function nameOf({ character }: SpelledCharacter): string {
  const number = `U+${(character.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, "0")}`;
  return /^[\p{L}\p{N}\p{P}\p{S}]/u.test(character) ? `${character} (${number})` : number;
}

function describe(character: SpelledCharacter): string {
  return `${nameOf(character)}, ${character.count === 1 ? "once" : `${character.count} times`}`;
}

function saving({ characters, parts }: CheaperSpelling, measure: SmsMeasure, hold: Kes): string {
  const spelled = characters.map(({ cheaper }) => (cheaper === "" ? "nothing" : JSON.stringify(cheaper))).join(", ");
  return `with ${spelled} instead it takes ${price(parts, cents(Math.round((hold / measure.parts) * parts)))}`;
}

function price(parts: number, hold: Kes): string {
  return `${parts} ${parts === 1 ? "part" : "parts"} for KES ${formatKes(hold)}`;
}
