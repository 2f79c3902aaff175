import * as fc from "fast-check";
import { expect, test } from "vitest";
import { contentKey } from "../../../src/gateway/domain/draws.ts";

const TEXTS = 100_000;

test("a key is a non-negative safe integer and the same each time", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const key = contentKey(text);

      expect(Number.isSafeInteger(key) && key >= 0).toBe(true);
      expect(contentKey(text)).toBe(key);
    }),
  );
});

test("short texts that differ in a few characters have keys of their own", () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 8 }), fc.integer({ min: 2, max: 36 }), (prefix, radix) => {
      const keys = keysOf((index) => `${prefix}${index.toString(radix)}`);

      expect(new Set(keys).size).toBe(TEXTS);
    }),
    { numRuns: 5, seed: 20250106 },
  );
});

test("top-ups of every number in a range have keys of their own", () => {
  const keys = keysOf((index) => `airtime 2547${String(10_000_000 + index)} 100`);

  expect(new Set(keys).size).toBe(TEXTS);
});

function keysOf(textAt: (index: number) => string): number[] {
  return Array.from({ length: TEXTS }, (_, index) => contentKey(textAt(index)));
}
