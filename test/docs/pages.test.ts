import { expect, test } from "vitest";
import { inLanes } from "./in-lanes.ts";
import { playPage } from "./play-page.ts";
import { pagePaths, readVariants } from "./read-page.ts";

// PAGE=README.md,docs/quick-start.md plays those alone.
const chosen = process.env["PAGE"]?.split(",");
const wanted = pagePaths().filter((path) => chosen?.includes(path) ?? true);

// The longest first, so that none is left to the end.
const pages = wanted.flatMap(readVariants).toSorted((one, other) => other.blocks.length - one.blocks.length);

const played = (await inLanes(3, pages, playPage)).flat();

test("finds blocks to run", () => {
  expect(played.length).toBeGreaterThan(0);
});

const told = played.map(({ block, problem, missing }) => ({
  place: `${block.page}:${block.line}`,
  first: block.text.split("\n")[0],
  problem,
  missing,
}));

// In CI that is a failure; elsewhere a line.
const left = told.flatMap(({ place, missing }) =>
  missing === undefined ? [] : [`${place} needs ${missing}, which is not installed\n`],
);
process.stderr.write(left.join(""));

test.each(told.filter(({ missing }) => missing === undefined))("$place does what it says: $first", ({ problem }) => {
  expect(problem).toBeUndefined();
});
