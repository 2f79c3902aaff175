import fc from "fast-check";
import { expect, test } from "vitest";
import { matchesGlob } from "../../../src/gateway/domain/glob.ts";

test.each([
  ["test-*", "test-1", true],
  ["test-*", "test-", true],
  ["test-*", "Test-1", false],
  ["test-*", "my-test-1", false],
  ["25471*", "254712345678", true],
  ["*678", "254712345678", true],
  ["254*678", "254712345678", true],
  ["254*678", "254678", true],
  ["254*678", "25478", false],
  ["*", "", true],
  ["", "", true],
  ["", "a", false],
  ["a.c", "abc", false],
  ["a+(b|c)[d]{1}^$?\\", "a+(b|c)[d]{1}^$?\\", true],
  ["a*b", "a\nb", true],
])("%j and %j: %s", (pattern, text, isMatch) => {
  expect(matchesGlob(pattern, text)).toBe(isMatch);
});

test("a pattern of many stars takes no longer than the text is long", () => {
  const begun = performance.now();

  const isMatch = matchesGlob("*a*a*a*a*a*a*a*b", "a".repeat(16_000));

  expect(isMatch).toBe(false);
  expect(performance.now() - begun).toBeLessThan(1_000);
});

test("a text without stars matches itself alone, whatever its characters", () => {
  const literal = fc.string().filter((text) => !text.includes("*"));
  fc.assert(
    fc.property(literal, literal, (text, other) => {
      expect(matchesGlob(text, text)).toBe(true);
      expect(matchesGlob(text, other)).toBe(text === other);
    }),
  );
});

test("a star stands for whatever is put in its place", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.string(), (before, between, after) => {
      expect(matchesGlob(`${before}*${after}`, `${before}${between}${after}`)).toBe(true);
    }),
  );
});
