import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const GENERATED = ["commands", "config-reference", "control-api", "rehearsal-reference", "scenario-reference"];

/** The rows that `scripts/page-tables.ts` writes into other pages: another failure or check is no page's concern. */
const GENERATED_ROWS =
  /(?<=^\| (?:fault|scenario|rehearsal|check of traffic|check of an order|carrier|setting|fact) \|.*\n\|[-| ]+\|\n)(?:\|.*\n)+/gm;

test("the pages that are written by hand stay few and short", () => {
  const pages = readdirSync("docs", { recursive: true, encoding: "utf8" }).filter(
    (path) => path.endsWith(".md") && !GENERATED.includes(path.slice(0, -".md".length)),
  );

  const words = pages.flatMap(
    (path) => readFileSync(`docs/${path}`, "utf8").replaceAll(GENERATED_ROWS, "").match(/\S+/g) ?? [],
  );

  expect(pages.length).toBeLessThanOrEqual(21);
  expect(words.length).toBeLessThanOrEqual(18_000);
});
