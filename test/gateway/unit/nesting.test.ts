import fc from "fast-check";
import { expect, test } from "vitest";
import { findJsonExcess, MAX_LEXEMES, TOO_DEEP, TOO_LONG } from "../../../src/gateway/document/nesting.ts";
import { readYaml } from "../../../src/gateway/document/yaml-source.ts";
import { parseScenario } from "../../../src/gateway/scenario/parse-scenario.ts";

test.each([
  ["lists", (levels: number) => "[".repeat(levels) + "]".repeat(levels)],
  ["lists that are not closed", (levels: number) => "[".repeat(levels)],
  ["mappings", (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`],
])("takes 100 levels of %s and no more, as JSON and as YAML", (_what, nest) => {
  const [most, excess] = [nest(100), nest(101)];

  expect({ most: findJsonExcess(most), excess: findJsonExcess(excess) }).toEqual({ most: undefined, excess: TOO_DEEP });
  expect({ most: isTooDeep(most), excess: isTooDeep(excess) }).toEqual({ most: false, excess: true });
});

function isTooDeep(text: string): boolean {
  return readYaml(text).excess !== undefined;
}

test.each([
  ["dashes", "- ".repeat(5_000)],
  ["question marks", "? ".repeat(5_000)],
  ["dashes and question marks", "- ? ".repeat(5_000)],
  ["pairs in brackets", "[a: ".repeat(5_000)],
  ["questions in brackets", "[? ".repeat(5_000)],
  ["indentation", Array.from({ length: 1_500 }, (_, level) => `${" ".repeat(level)}a:`).join("\n")],
  ["a list below text with quotes", `a: it's\nb: ${"[".repeat(5_000)}`],
  ["a list behind a comment", `# ]]]]\n${"[".repeat(5_000)}`],
])("refuses YAML that nests by %s", (_what, text) => {
  const parsed = parseScenario(text, "deep.yaml");

  expect(parsed).toEqual({
    problems: [expect.objectContaining({ problem: "the document is nested deeper than 100 levels" })],
  });
});

test.each([
  ["brackets in a JSON text", JSON.stringify({ message: `\\"${"[{".repeat(200)}` })],
  ["brackets in a block of text", `text: |\n  ${"[".repeat(200)}\n`],
  ["brackets in a comment", `# ${"[".repeat(200)}\na: 1\n`],
  ["many lists beside each other", "- [a, [b]]\n".repeat(500)],
  ["many blocks beside each other", "- a:\n    b:\n      - c: 1\n".repeat(500)],
])("is not misled by %s", (_what, text) => {
  expect(isTooDeep(text)).toBe(false);
});

test("takes any JSON that is nested less", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 20 }), (value) => {
      const text = JSON.stringify(value, null, 2);

      expect(findJsonExcess(text)).toBeUndefined();
      expect(isTooDeep(text)).toBe(false);
    }),
  );
});

test.each([
  ["keys", "a: 1\n", 5],
  ["line breaks", "\n", 1],
  ["commas", "- [a,a]\n", 8],
])("reads no more of a document of %s than its limit of lexemes", (_what, line, lexemes) => {
  const { excess, document } = readYaml(line.repeat(1_000_000));

  expect(excess).toMatchObject({ problem: TOO_LONG.problem });
  expect(excess?.offset).toBeLessThanOrEqual((MAX_LEXEMES / lexemes + 1) * line.length);
  expect(document.contents).toBeNull();
});

test.each([
  ["commas", `[${",".repeat(1_000)}`],
  ["brackets", "]".repeat(1_000)],
  ["tags", "!!str ".repeat(1_000)],
  ["escapes", `"${"\\q".repeat(1_000)}"`],
])("records no stack for each of a thousand wrong %s", (_what, text) => {
  const { stackTraceLimit } = Error;
  const { errors } = readYaml(text).document;

  expect(errors.length).toBeGreaterThan(900);
  expect(errors.filter(({ stack }) => stack?.includes("\n    at "))).toEqual([]);
  expect(Error.stackTraceLimit).toBe(stackTraceLimit);
});

test("counts the commas and colons of JSON outside its texts", () => {
  const text = JSON.stringify({ list: Array.from({ length: 50 }, () => ({ text: ",:,:,:" })) });

  expect(findJsonExcess(text, 100)).toBeUndefined();
  expect(findJsonExcess(text, 99)).toBe(TOO_LONG);
});
