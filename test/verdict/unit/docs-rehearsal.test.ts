import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { parseAppMap } from "../../../src/verdict/application/app-map.ts";
import { parseRehearsal } from "../../../src/verdict/rehearsal/rehearsal-schema.ts";

const page = readFileSync(new URL("../../../docs/rehearsals.md", import.meta.url), "utf8");

test("the app map and the rehearsals in the docs are read without a mistake", () => {
  const [map = "", ...rehearsals] = [...page.matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = ""]) => text);

  expect(parseAppMap(map, "rehearsals.md")).toHaveProperty("map");
  expect(rehearsals.map((text) => parseRehearsal(text, "rehearsals.md"))).toMatchObject([
    { rehearsal: { name: "lost-acknowledgment", expect: [] } },
    { rehearsal: { name: "lost-acknowledgment" } },
  ]);
});

test("the docs have a row for each step", () => {
  const steps = [...page.matchAll(/^\| (`\w+`(?: · `\w+`)*) +\|/gm)].flatMap(
    ([, cell = ""]) => cell.match(/\w+/g) ?? [],
  );

  expect(new Set(steps)).toEqual(
    new Set(["order", "request", "command", "sandbox", "until", "wait", "advance", "top_up", "observe"]),
  );
});
