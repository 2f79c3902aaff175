import { expect, test } from "vitest";
import { DETECTORS } from "../../../src/verdict/checks/all-checks.ts";

test("every check has an id of its own", () => {
  expect(new Set(DETECTORS.map(({ id }) => id)).size).toBe(DETECTORS.length);
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
