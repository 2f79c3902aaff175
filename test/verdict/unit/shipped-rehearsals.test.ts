import { expect, test } from "vitest";
import { rehearsalNames, rehearsalText, shippedRehearsal } from "../../support/rehearsed.ts";

const NAMES = rehearsalNames();

test("at least eight rehearsals are shipped", () => {
  expect(NAMES.length).toBeGreaterThanOrEqual(8);
});

test.each(NAMES)("%s is right, and is called what its file is called", (name) => {
  expect(shippedRehearsal(name).name).toBe(name);
});

test.each(NAMES)("%s names its schema for editors, its story, and what a good backend does", (name) => {
  const text = rehearsalText(name);

  expect(text.split("\n")[0]).toBe("# yaml-language-server: $schema=../../schema/rehearsal.schema.json");
  expect(text).toMatch(/^# What happens: /m);
  expect(text).toMatch(/^# What a good backend does: /m);
  expect(text).toMatch(/^version: 1\nname: .+\ndescription: [A-Z].+\.$/m);
});

test.each(NAMES)("%s knows the application by its map alone", (name) => {
  expect(rehearsalText(name)).not.toMatch(/https?:|\{app\}/);
});

test.each(NAMES)("every check of %s has a name of its own, which reports show", (name) => {
  const names = shippedRehearsal(name).expect.map((check) => check.name);

  expect(names).not.toContain(undefined);
  expect(new Set(names).size).toBe(names.length);
});

test("no two rehearsals use the same block of phone numbers, for a backend may still wait for a result of the one before", () => {
  const blocks = NAMES.flatMap((name) => [...new Set(rehearsalText(name).match(/254712\d{4}/g))]);

  expect(new Set(blocks).size).toBe(blocks.length);
});
