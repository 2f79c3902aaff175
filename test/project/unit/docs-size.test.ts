import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const GENERATED = ["commands", "config-reference", "control-api", "rehearsal-reference", "scenario-reference"];

test("the pages that are written by hand stay few and short", () => {
  const pages = readdirSync("docs", { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".md") && !GENERATED.includes(path.slice(0, -".md".length)),
  );

  const words = pages.flatMap((path) => readFileSync(`docs/${path}`, "utf8").match(/\S+/g) ?? []);

  expect(pages.length).toBeLessThanOrEqual(21);
  expect(words.length).toBeLessThanOrEqual(20_000);
});
