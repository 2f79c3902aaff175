import { expect, test } from "vitest";
import { gsmSpelling } from "../../../src/gateway/domain/gsm-alphabet.ts";

test.each([
  ["‘", "'"],
  ["’", "'"],
  ["`", "'"],
  ["´", "'"],
  ["“", '"'],
  ["”", '"'],
  ["«", '"'],
  ["‹", "<"],
  ["–", "-"],
  ["—", "-"],
  ["−", "-"],
  ["…", "..."],
  ["•", "*"],
  ["×", "x"],
  ["½", "1/2"],
  ["²", "2"],
  ["™", "TM"],
  ["©", "(c)"],
  ["\t", " "],
  ["\u00a0", " "],
  ["\u2009", " "],
  ["\u202f", " "],
  ["\u2028", "\n"],
  ["\u200b", ""],
  ["\u00ad", ""],
  ["\ufeff", ""],
  ["ﬁ", "fi"],
  ["Ａ", "A"],
  ["\u212b", "Å"],
  ["\u2126", "Ω"],
  ["á", "a"],
  ["ê", "e"],
  ["ç", "c"],
  ["Ũ", "U"],
])("spells %j as %j", (character, spelling) => {
  const spelled = gsmSpelling(character);

  expect(spelled).toBe(spelling);
});

// The joiner and the variation selector belong to emoji; a lone combining mark belongs to the letter before it.
test.each(["ж", "ё", "中", "😀", "\u200d", "\ufe0f", "\u0301", "¨", "¸", "°", "Α", "\u001b"])(
  "knows no plain spelling of %j",
  (character) => {
    const spelled = gsmSpelling(character);

    expect(spelled).toBeUndefined();
  },
);
