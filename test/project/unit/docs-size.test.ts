import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const SHOPS = ["django", "express", "laravel", "php", "spring"].map((framework) => `shop-${framework}`);

const GENERATED = [
  "commands",
  "config-reference",
  "control-api",
  "rehearsal-reference",
  "scenario-reference",
  ...SHOPS,
];

/** The rows that `scripts/page-tables.ts` writes into other pages: another failure or check is no page's concern. */
const GENERATED_ROWS =
  /(?<=^(?:fault|scenario|rehearsal|check of traffic|check of an order|carrier|setting|fact) \|.*\n[-|]+\n)(?:.+\n)+/gm;

const pages = readdirSync("docs", { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".md"));

test("the pages that are written by hand stay few and short", () => {
  const written = pages.filter((path) => !GENERATED.includes(path.slice(0, -".md".length)));

  // The shops' pages are written once, in their template.
  const texts = [...written, "../scripts/shop-page.txt"].map((path) => readPage(path).replaceAll(GENERATED_ROWS, ""));
  const words = texts.flatMap(wordsOf);

  expect(written.length).toBeLessThanOrEqual(21);
  expect(words.length).toBeLessThanOrEqual(20_000);
});

test("all pages together stay short, and each page that is generated", () => {
  const generated = GENERATED.map((name) => [name, wordsOf(readPage(`${name}.md`)).length] as const);

  const words = pages.filter((path) => !path.includes("/")).flatMap((path) => wordsOf(readPage(path)));

  expect(words.length).toBeLessThanOrEqual(30_000);
  expect(generated.filter(([, count]) => count > 3_100)).toEqual([]);
});

function readPage(path: string): string {
  return readFileSync(`docs/${path}`, "utf8");
}

/** Comments, which say how a block is played, are not read. */
function wordsOf(text: string): string[] {
  return text.replaceAll(/<!--.*?-->/gs, "").match(/\S+/g) ?? [];
}
