import * as fc from "fast-check";
import { stringify } from "lossless-json";
import { expect, test } from "vitest";
import { tryParseJson } from "../../../src/verdict/application/ask.ts";

test("JSON is read and written as by JSON.parse and JSON.stringify, but for large whole numbers", () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);

      expect(tryParseJson(text)).toEqual({ value: JSON.parse(text, (_key, read: unknown) => asText(read)) });
      expect(stringify(JSON.parse(text))).toBe(text);
    }),
  );
});

test("a whole number of any size keeps its digits", () => {
  fc.assert(
    fc.property(fc.bigInt(), (number) => {
      expect(String(tryParseJson(number.toString())?.value)).toBe(number.toString());
    }),
  );
});

/** From 10^21 on, JSON.stringify writes an exponent. */
function asText(read: unknown): unknown {
  const isLarge = Number.isInteger(read) && !Number.isSafeInteger(read) && Math.abs(Number(read)) < 1e21;
  return isLarge ? String(read) : read;
}
