import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseAppMap } from "../../../src/verdict/application/app-map.ts";
import { parseRehearsal } from "../../../src/verdict/rehearsal/rehearsal-schema.ts";

const page = readFileSync(new URL("../../../docs/verdict.md", import.meta.url), "utf8");

test("the app map and the rehearsals in the docs are read without a mistake", () => {
  const [map = "", ...rehearsals] = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = ""]) => text);

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
