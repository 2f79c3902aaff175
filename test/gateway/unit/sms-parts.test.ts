import { expect, test } from "vitest";
import { costlyCharacters, measureSms, splitSms } from "../../../src/gateway/domain/sms-parts.ts";

const DEFAULT_ALPHABET =
  "@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !\"#¤%&'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà";

test("has no parts for an empty message", () => {
  const split = splitSms("", 70);

  expect(split).toEqual({ encoding: "GSM-7", characters: 0, units: 0, parts: 0, texts: [] });
});

test("counts each of the 127 characters of the default alphabet as one septet", () => {
  const measure = measureSms(DEFAULT_ALPHABET, 70);

  expect(measure).toEqual({ encoding: "GSM-7", characters: 127, units: 127, parts: 1 });
});

test.each(Array.from("^{}\\[~]|€\f"))("counts %j, of the extension table, as two septets", (character) => {
  const measure = measureSms(character, 70);

  expect(measure).toEqual({ encoding: "GSM-7", characters: 1, units: 2, parts: 1 });
});

// The last ones only look like GSM: Greek capital alpha, Ohm sign, small c with cedilla.
test.each(["\u001b", "`", "\t", "\u00a0", "’", "…", "ж", "\u0391", "\u2126", "ç"])("sends %j as UCS-2", (character) => {
  const measure = measureSms(`a${character}`, 70);

  expect(measure).toEqual({ encoding: "UCS-2", characters: 2, units: 2, parts: 1 });
});

test.each([
  [1, 1],
  [160, 1],
  [161, 2],
  [306, 2],
  [307, 3],
  [459, 3],
  [460, 4],
  [1530, 10],
  [1531, 11],
  [39015, 255],
  [39016, 256],
])("sends %d plain GSM characters in %d parts", (length, parts) => {
  const measure = measureSms("a".repeat(length), 70);

  expect(measure).toEqual({ encoding: "GSM-7", characters: length, units: length, parts });
});

test.each([
  ["fills one part with 80 euro signs", "€".repeat(80), [160]],
  ["needs two parts for 81 euro signs, 76 in the first", "€".repeat(81), [152, 10]],
  ["fills two parts of 152 septets with 152 euro signs", "€".repeat(152), [152, 152]],
  ["needs a third part for the 153rd euro sign", "€".repeat(153), [152, 152, 2]],
  ["fits an escape pair on septets 159 and 160 of one part", `${"a".repeat(158)}€`, [160]],
  ["cuts 161 septets that end in an escape pair", `${"a".repeat(159)}€`, [153, 8]],
  ["fits an escape pair on septets 152 and 153 of a part", `${"a".repeat(151)}[${"b".repeat(20)}`, [153, 20]],
  ["moves an escape pair on septets 153 and 154 to the next part", `${"a".repeat(152)}[${"b".repeat(20)}`, [152, 22]],
  [
    "lets moved escape pairs cost a part: 306 septets need three",
    `${"a".repeat(152)}€${"a".repeat(152)}`,
    [152, 153, 1],
  ],
  ["cuts a carriage return from its line feed", `${"a".repeat(152)}\r\n${"b".repeat(20)}`, [153, 21]],
])("%s", (_, message, septets) => {
  const split = splitSms(message, 70);

  expect(split.parts).toBe(septets.length);
  expect(split.texts.map((text) => measureSms(text, 70).units)).toEqual(septets);
  expect(split.texts.join("")).toBe(message);
});

test.each([
  [70, 1, 1],
  [71, 2, 2],
  [134, 2, 2],
  [135, 3, 2],
  [140, 3, 2],
  [141, 3, 3],
  [201, 3, 3],
  [202, 4, 3],
  [210, 4, 3],
  [211, 4, 4],
  [17085, 255, 245],
])("sends %d UCS-2 characters in %d parts of 67 or %d parts of 70", (length, partsOf67, partsOf70) => {
  const message = "ж".repeat(length);

  const parts = [measureSms(message, 67).parts, measureSms(message, 70).parts];

  expect(parts).toEqual([partsOf67, partsOf70]);
});

test.each([
  ["fits 35 emoji in one part", 67, "😀".repeat(35), [70]],
  ["puts 33 emoji, 66 units, in each part of 67", 67, "😀".repeat(67), [66, 66, 2]],
  ["puts 35 emoji in each part of 70", 70, "😀".repeat(71), [70, 70, 2]],
  ["fits a surrogate pair on units 66 and 67", 67, `${"ж".repeat(65)}😀${"ж".repeat(67)}`, [67, 67]],
  [
    "moves a surrogate pair on units 67 and 68 to the next part",
    67,
    `${"ж".repeat(66)}😀${"ж".repeat(66)}`,
    [66, 67, 1],
  ],
  ["fits a surrogate pair on units 69 and 70", 70, `${"ж".repeat(68)}😀${"ж".repeat(70)}`, [70, 70]],
  [
    "moves a surrogate pair on units 70 and 71 to the next part",
    70,
    `${"ж".repeat(69)}😀${"ж".repeat(69)}`,
    [69, 70, 1],
  ],
  ["cuts 71 units that end in a surrogate pair", 70, `${"ж".repeat(69)}😀`, [69, 2]],
  ["cuts between the two halves of a flag", 67, `${"ж".repeat(65)}🇰🇪${"ж".repeat(65)}`, [67, 67]],
] as const)("%s", (_, ucs2Concatenated, message, units) => {
  const split = splitSms(message, ucs2Concatenated);

  expect(split.parts).toBe(units.length);
  expect(split.texts.map((text) => text.length)).toEqual(units);
  expect(split.texts.join("")).toBe(message);
});

test("lists each costly character once, with its count, its places in code points and a cheaper spelling", () => {
  const costly = costlyCharacters("😀 Don’t – don’t – pay ж");

  expect(costly).toEqual([
    { character: "😀", count: 1, positions: [0], cheaper: undefined },
    { character: "’", count: 2, positions: [5, 13], cheaper: "'" },
    { character: "–", count: 2, positions: [8, 16], cheaper: "-" },
    { character: "ж", count: 1, positions: [22], cheaper: undefined },
  ]);
});

test("finds nothing costly in the whole of GSM", () => {
  const costly = costlyCharacters(`${DEFAULT_ALPHABET}^{}\\[~]|€\f`);

  expect(costly).toEqual([]);
});
