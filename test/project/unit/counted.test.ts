import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const src = new URL("../../../src/", import.meta.url);
const FILES = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((path) => /\.tsx?$/.test(path));

/** What Kredo counts. */
const NOUNS =
  "accounts|attempts|callbacks|characters|days|defects|events|exchanges|faults|files|findings|guesses|lines|messages|ones|orders|parts|polls|problems|requests|rows|rules|runs|scenarios|steps|transactions|values";

/** A number that a text prints before what it counts. A constant in capitals is always the same number, and more than one. */
const COUNT = new RegExp(String.raw`\$\{(?![A-Z_]+\})[^{}]*\} (?:[a-z]+ )?(?:${NOUNS})\b.*`, "g");

/** Printed of several alone, or of one out of several. */
const OF_SEVERAL = [
  "${parts} parts; at most",
  "${total} parts.",
  "${sms.parts} parts are more than max_sms_parts",
  "${causes.length} orders were under way",
  "${together.cells.length} orders at once",
  "${requests} orders (${order.operation}) were refused",
  "${requests} requests in a row",
  "${requests} requests came within",
  "${this.#opened} requests in a row",
  "${this.#polls} polls came within",
  "${measure.parts} parts for KES",
  "${others.length} other failures",
];

test("every count is written by one function, in the singular or the plural", () => {
  const printed = FILES.flatMap((path) => {
    const text = readFileSync(new URL(path, src), "utf8");
    return [...text.matchAll(COUNT)].map(([found]) => `${path}: ${found.slice(0, 80)}`);
  });

  expect(printed.filter((found) => !OF_SEVERAL.some((known) => found.includes(known)))).toEqual([]);
});

test("no number is followed by a choice between a word and its plural", () => {
  const choices = FILES.flatMap((path) => {
    const text = readFileSync(new URL(path, src), "utf8");
    return [...text.matchAll(/\} \$\{[^{}]* === 1 \? "(\w+)" : "\1e?s"/g)].map(([found]) => `${path}: ${found}`);
  });

  expect(choices).toEqual([]);
});
