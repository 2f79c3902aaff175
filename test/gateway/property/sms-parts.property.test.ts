import * as fc from "fast-check";
import { expect, test } from "vitest";
import { costlyCharacters, measureSms, splitSms } from "../../../src/gateway/domain/sms-parts.ts";

test("loses and invents nothing, measures what it splits, and cuts into whole characters", () => {
  fc.assert(
    fc.property(messages, partSizes, (message, ucs2Concatenated) => {
      const { texts, ...measure } = splitSms(message, ucs2Concatenated);

      expect(texts.join("")).toBe(message);
      expect(measure).toEqual(measureSms(message, ucs2Concatenated));
      expect(measure.parts).toBe(texts.length);
      expect(texts.filter((text) => LONE_SURROGATE.test(text))).toEqual([]);
    }),
  );
});

test("counts characters as code points and UCS-2 units as UTF-16 units", () => {
  fc.assert(
    fc.property(ucs2Messages, partSizes, (message, ucs2Concatenated) => {
      const measure = measureSms(message, ucs2Concatenated);

      expect(measure).toMatchObject({
        encoding: "UCS-2",
        characters: Array.from(message).length,
        units: message.length,
      });
    }),
  );
});

test("makes no GSM part longer than 153 septets, and only escapes leave one short of it", () => {
  fc.assert(
    fc.property(longGsmMessages, partSizes, (message, ucs2Concatenated) => {
      const { texts } = splitSms(message, ucs2Concatenated);

      const septets = texts.map(countSeptets);
      expect(Math.max(...septets)).toBeLessThanOrEqual(153);
      expect(Math.min(153, ...septets.slice(0, -1))).toBeGreaterThanOrEqual(152);
      expect(texts.slice(1).filter((text, index) => septets[index] === 152 && !EXTENSION.test(text))).toEqual([]);
    }),
  );
});

test("makes no UCS-2 part longer than its size, and only surrogate pairs leave one short of it", () => {
  fc.assert(
    fc.property(longUcs2Messages, partSizes, (message, ucs2Concatenated) => {
      const { texts } = splitSms(message, ucs2Concatenated);

      const units = texts.map((text) => text.length);
      expect(Math.max(...units)).toBeLessThanOrEqual(ucs2Concatenated);
      expect(Math.min(ucs2Concatenated, ...units.slice(0, -1))).toBeGreaterThanOrEqual(ucs2Concatenated - 1);
      expect(texts.slice(1).filter((text, index) => units[index] === ucs2Concatenated - 1 && !PAIR.test(text))).toEqual(
        [],
      );
    }),
  );
});

test("finds costly characters exactly in UCS-2 messages, each where it says", () => {
  fc.assert(
    fc.property(messages, (message) => {
      const costly = costlyCharacters(message);

      const characters = Array.from(message);
      const places = costly.flatMap(({ character, positions }) =>
        positions.map((position) => characters[position] === character),
      );
      expect(costly.length > 0).toBe(measureSms(message, 70).encoding === "UCS-2");
      expect(places).toEqual(costly.flatMap(({ count }) => Array.from({ length: count }, () => true)));
    }),
  );
});

test("offers only spellings that GSM can say", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary", maxLength: 50 }), (message) => {
      const spellings = costlyCharacters(message).map(({ cheaper }) => cheaper ?? "");

      expect(measureSms(spellings.join(""), 70).encoding).toBe("GSM-7");
    }),
    { numRuns: 1_000 },
  );
});

const EXTENSION = /^[\^{}\\[~\]|€\f]/;
const PAIR = /^[\ud800-\udbff][\udc00-\udfff]/;
const LONE_SURROGATE = /^[\udc00-\udfff]|[\ud800-\udbff]$/;

const partSizes = fc.constantFrom(67 as const, 70 as const);

const gsmCharacters = fc.constantFrom("a", "b", "é", "Ω", "\n", "€", "[", "\f");

const longGsmMessages = fc.string({ unit: gsmCharacters, minLength: 161, maxLength: 700, size: "max" });

const longUcs2Messages = fc
  .string({ unit: fc.constantFrom("ж", "中", "😀", "🇰", "a", "€"), minLength: 70, maxLength: 400, size: "max" })
  .map((text) => `${text}ж`);

const ucs2Messages = fc.oneof(
  longUcs2Messages,
  fc.string({ unit: "binary", maxLength: 80 }).map((text) => `${text}中`),
);

const messages = fc.oneof(
  longGsmMessages,
  ucs2Messages,
  fc.string({ unit: gsmCharacters, maxLength: 170, size: "max" }),
  fc.string({ unit: "grapheme", maxLength: 100, size: "max" }),
);

function countSeptets(text: string): number {
  return text.length + text.replace(/[^^{}\\[~\]|€\f]/g, "").length;
}
