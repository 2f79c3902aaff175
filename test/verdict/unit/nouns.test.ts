import { readFileSync } from "node:fs";
import { expect, test } from "vitest";

const page = readFileSync("src/README.md", "utf8");
const [, section = ""] = page.split("### In the verdict room");
const nouns = [...section.matchAll(/^\| ([a-z ]+?) +\| .* \| `(.+)` +\|$/gm)].map(([, noun = "", file = ""]) => ({
  noun,
  file,
}));

test("a reader of the verdict room learns at most twenty nouns", () => {
  expect(nouns.length).toBeGreaterThan(10);
  expect(nouns.length).toBeLessThanOrEqual(20);
});

test.each(nouns)("$noun is what $file exports", ({ noun, file }) => {
  const source = readFileSync(`src/verdict/${file}`, "utf8");
  const exported = [...source.matchAll(/^export (?:interface|class|type|function|const) (\w+)/gm)].map(
    ([, name]) => name,
  );
  const stem = noun.replaceAll(" ", "");

  expect(exported.filter((name) => name?.toLowerCase().includes(stem))).not.toEqual([]);
});
