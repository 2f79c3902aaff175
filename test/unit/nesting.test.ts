import fc from "fast-check";
import { expect, test } from "vitest";
import { isTooDeepJson } from "../../src/document/nesting.ts";
import { findTooDeepYaml } from "../../src/document/yaml-source.ts";
import { parseScenario } from "../../src/scenario/parse-scenario.ts";

test.each([
  ["lists", (levels: number) => "[".repeat(levels) + "]".repeat(levels)],
  ["lists that are not closed", (levels: number) => "[".repeat(levels)],
  ["mappings", (levels: number) => `${'{"a":'.repeat(levels)}1${"}".repeat(levels)}`],
])("takes 100 levels of %s and no more, as JSON and as YAML", (_what, nest) => {
  expect([isTooDeepJson(nest(100)), isTooDeepJson(nest(101))]).toEqual([false, true]);
  expect([findTooDeepYaml(nest(100)) === undefined, findTooDeepYaml(nest(101)) === undefined]).toEqual([true, false]);
});

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

test("points at the place", () => {
  const parsed = parseScenario(`name: deep\nrules: ${"[".repeat(200)}`, "deep.yaml");

  expect(parsed).toEqual({ problems: [expect.objectContaining({ file: "deep.yaml", line: 2, column: 107 })] });
});

test.each([
  ["brackets in a JSON text", JSON.stringify({ message: `\\"${"[{".repeat(200)}` })],
  ["brackets in a block of text", `text: |\n  ${"[".repeat(200)}\n`],
  ["brackets in a comment", `# ${"[".repeat(200)}\na: 1\n`],
  ["many lists beside each other", "- [a, [b]]\n".repeat(500)],
  ["many blocks beside each other", "- a:\n    b:\n      - c: 1\n".repeat(500)],
])("is not put off by %s", (_what, text) => {
  expect(findTooDeepYaml(text)).toBeUndefined();
});

test("survives anchors that stand in one another", () => {
  const chain = Array.from({ length: 400 }, (_, level) => `a${level}: &a${level} [*a${level - 1}]`).slice(1);
  const parsed = parseScenario(["a0: &a0 [x]", ...chain].join("\n"), "chain.yaml");

  expect(parsed).toHaveProperty("problems");
});

test("takes any JSON that is nested less", () => {
  fc.assert(
    fc.property(fc.jsonValue({ maxDepth: 20 }), (value) => {
      const text = JSON.stringify(value, null, 2);

      expect(isTooDeepJson(text)).toBe(false);
      expect(findTooDeepYaml(text)).toBeUndefined();
    }),
  );
});
