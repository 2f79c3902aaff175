import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseAppMap } from "../../../src/verdict/application/app-map.ts";
import { parseRehearsal } from "../../../src/verdict/rehearsal/rehearsal-schema.ts";

const page = ["verdict.md", "checks.md"]
  .map((name) => readFileSync(new URL(`../../../docs/${name}`, import.meta.url), "utf8"))
  .join("\n");

test("the app map and the rehearsals in the docs are read without a mistake", () => {
  const [map = "", ...rehearsals] = [...page.matchAll(/```yaml\n((?:# .*\n)?version: 1\n[\s\S]*?)```/g)].map(
    ([, text = ""]) => text,
  );

  expect(parseAppMap(map, "verdict.md")).toHaveProperty("map");
  expect(rehearsals.map((text) => parseRehearsal(text, "verdict.md"))).toMatchObject([
    { rehearsal: { name: "lost-acknowledgment", steps: [{ order: { operation: "airtime" } }] } },
  ]);
});

test("the docs have a row for each step", () => {
  const steps = [...page.matchAll(/^\| (`\w+`(?: · `\w+`)*) +\|/gm)].flatMap(
    ([, cell = ""]) => cell.match(/\w+/g) ?? [],
  );

  expect(new Set(steps)).toEqual(new Set(["order", "advance", "top_up", "wait"]));
});
