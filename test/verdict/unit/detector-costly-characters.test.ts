import { expect, test } from "vitest";
import { NO_MONEY } from "../../../src/gateway/domain/kes.ts";
import { costlyCharacters } from "../../../src/verdict/checks/costly-characters.ts";
import { accepted, request, observationsOf } from "../../support/finding-events.ts";
import { sms } from "../../support/gateway/world.ts";

const sent = (message: string) => accepted("one", 0, { order: sms(message) });

test("names the character, the cheaper spelling, and what each costs", () => {
  const events = [sent(`Mfano’s${" soko".repeat(20)}`)];

  const seen = observationsOf(costlyCharacters, events);

  expect(seen).toEqual([
    {
      subject: "’ (U+2019)",
      seen: `An SMS of 107 characters took 2 parts for KES 1.60 because of ’ (U+2019), once; with "'" instead it takes 1 part for KES 0.80.`,
      exchanges: [request("one")],
    },
  ]);
});

test("names all of several characters, with how often they stand there", () => {
  const [observation] = observationsOf(costlyCharacters, [sent(`“Karibu” – soma… –\u200b${"a".repeat(150)}`)]);

  expect(observation?.subject).toBe("“ (U+201C), ” (U+201D), – (U+2013), … (U+2026), U+200B");
  expect(observation?.seen).toContain("– (U+2013), 2 times");
  expect(observation?.seen).toContain(
    String.raw`with "\"", "\"", "-", "...", nothing instead it takes 2 parts for KES 1.60`,
  );
});

test.each([
  ["the message is plain", "Karibu ".repeat(40)],
  ["the message takes one part as it is", "Mfano’s soko"],
  ["the message is in Arabic, with a typographic quote", `${"مرحبا بكم ".repeat(12)}’`],
  ["an emoji needs UCS-2 anyway", `Asante 🎉 – ${"a".repeat(80)}`],
  ["the accents belong to the words", `Gĩkũyũ na’ ${"a".repeat(80)}`],
  ["the accents belong to a name", `João’s  ${"a".repeat(80)}`],
  ["the plain spelling takes as many parts", `’${"€".repeat(80)}`],
])("accuses nobody when %s", (_, message) => {
  expect(observationsOf(costlyCharacters, [sent(message)])).toEqual([]);
});

test("accuses nobody of airtime, nor of a message that could not be paid for", () => {
  const unpaid = accepted("one", 0, { order: sms(`’${"a".repeat(100)}`), hold: NO_MONEY });

  expect(observationsOf(costlyCharacters, [accepted("two", 0), unpaid])).toEqual([]);
});
