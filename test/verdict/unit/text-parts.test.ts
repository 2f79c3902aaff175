import { expect, test } from "vitest";
import { LONG_TEXT, LONG_TEXT_OF_SCRIPTS } from "../../../src/verdict/exploration/experiments.ts";
import { findParts } from "../../../src/verdict/orders/text-parts.ts";

const ORDERED = "Habari Amina, agizo lako la unga, sukari na mafuta liko tayari. Lipa KES 1,840 kwa 555000.";
const [FIRST, SECOND, THIRD] = [
  "Habari Amina, agizo lako la unga,",
  "sukari na mafuta liko tayari.",
  "Lipa KES 1,840 kwa 555000.",
];

function describe(sent: readonly string[], ordered = ORDERED): string {
  const parts = findParts(ordered, sent);
  if (parts === undefined) return "no parts";
  return `${parts.isWhole ? "whole" : "not whole"}: ${parts.texts.map((text) => sent.indexOf(text)).join(" ")}`;
}

test.each<[string, readonly string[], string]>([
  ["in one", [ORDERED], "whole: 0"],
  ["twice", [ORDERED, ORDERED], "whole: 0"],
  ["cut between words", [FIRST, SECOND, THIRD], "whole: 0 1 2"],
  ["cut within words", [ORDERED.slice(0, 30), ORDERED.slice(30, 60), ORDERED.slice(60)], "whole: 0 1 2"],
  ["numbered before", [`(1/3) ${FIRST}`, `(2/3) ${SECOND}`, `(3/3) ${THIRD}`], "whole: 0 1 2"],
  ["numbered after", [`${FIRST} 1 of 3`, `${SECOND} 2 of 3`, `${THIRD} 3 of 3`], "whole: 0 1 2"],
  ["with dots where it goes on", [`${FIRST}…`, `…${SECOND}…`, `…${THIRD}`], "whole: 0 1 2"],
  ["in another order", [THIRD, FIRST, SECOND], "whole: 0 1 2"],
  ["with a part again", [FIRST, FIRST, SECOND, THIRD], "whole: 0 2 3"],
  ["without its middle", [FIRST, THIRD], "not whole: 0 1"],
  ["without its end, with a part again", [FIRST, SECOND, FIRST], "not whole: 0 1"],
  ["cut short", [ORDERED.slice(0, 60)], "not whole: 0"],
  ["with a second text of its own", [ORDERED, "Asante"], "no parts"],
  ["as another text", ["Karibu tena!"], "no parts"],
  ["never", [], "no parts"],
])("a text that is sent %s", (_what, sent, parts) => {
  expect(describe(sent)).toBe(parts);
});

test.each([LONG_TEXT, LONG_TEXT_OF_SCRIPTS])("a long text of a trial is whole wherever it is cut: %s", (text) => {
  const characters = Array.from(text);
  for (let length = 55; length < characters.length; length += 1) {
    const count = Math.ceil(characters.length / length);
    const sent = Array.from({ length: count }, (_, at) => {
      const piece = characters.slice(at * length, (at + 1) * length).join("");
      return `(${at + 1}/${count}) ${piece}`;
    });

    for (const some of [sent, sent.toReversed()])
      expect(findParts(text, some), `${length} characters in each`).toMatchObject({ isWhole: true, texts: some });
  }
});

test("a piece of a text that repeats itself is found where it is missing, whatever blank precedes it", () => {
  const ordered = `Unga: ${"1 kg sukari, 500 ml maziwa; ".repeat(8)}Asante`;
  const sent = [0, 84, 168].map((at, nth) => `(${nth + 1}/3) ${ordered.slice(at, at + 84)}`);

  expect(describe(sent, ordered)).toBe("whole: 0 1 2");
});

test("equal parts count as often as the text has them", () => {
  const [half, rest] = ["x".repeat(160), "x".repeat(80)];

  expect(describe([half, half, rest], "x".repeat(400))).toBe("whole: 0 0 2");
  expect(describe([half, half, half, rest], "x".repeat(400))).toBe("whole: 0 0 3");
});

test("what parts contain of a text lacks what is missing, and no blank between words", () => {
  expect(findParts(ORDERED, [FIRST, THIRD])?.contained).toBe(`${FIRST}${THIRD}`);
  expect(findParts(ORDERED, [FIRST, SECOND, THIRD])?.contained).toBe(ORDERED);
});
