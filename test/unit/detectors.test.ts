import { existsSync, readdirSync } from "node:fs";
import { expect, test } from "vitest";
import { DETECTORS } from "../../src/findings/detectors.ts";

const files = readdirSync(new URL("../../src/findings/detectors/", import.meta.url)).map((file) =>
  file.replace(/\.ts$/, ""),
);

test("every file of the folder is a detector of the list, under its own name", () => {
  expect(DETECTORS.map(({ id }) => id)).toEqual(files.toSorted());
  expect(files.length).toBeGreaterThan(15);
});

test.each(files)("%s has a test of its own", (id) => {
  expect(existsSync(new URL(`detector-${id}.test.ts`, import.meta.url))).toBe(true);
});

test.each(DETECTORS)(
  "$id says in sentences why, how to repair it and what it assumes, and which events it asks for",
  (detector) => {
    const { id, title, why, repair, assumes, kinds } = detector;

    expect([why, repair, assumes]).toEqual([/\.$/, /\.$/, /\.$/].map((end) => expect.stringMatching(end)));
    expect(title).not.toMatch(/\.$/);
    expect(id).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/);
    expect(kinds).not.toBeUndefined();
  },
);
