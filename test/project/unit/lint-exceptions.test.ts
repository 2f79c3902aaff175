import { readdirSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const root = new URL("../../../", import.meta.url);

test("every lint exception in the source carries its reason", () => {
  const files = ["src", "test"].flatMap((folder) => typescriptFiles(folder));

  const bare = files.flatMap((file) =>
    exceptionsWithoutReason(readFileSync(new URL(file, root), "utf8")).map((line) => `${file}: ${line}`),
  );

  expect(files.length).toBeGreaterThan(10);
  expect(bare).toEqual([]);
});

test.each([
  ["// oxlint-disable-next-line max-lines -- a table of prefixes", 0],
  ["// oxlint-disable-next-line max-lines", 1],
  ["/* oxlint-disable no-console */", 1],
  ["// @ts-expect-error", 1],
  ["// @ts-expect-error -- the wrong type is the case under test", 0],
])("finds the reason in %j", (line, without) => {
  expect(exceptionsWithoutReason(line)).toHaveLength(without);
});

function exceptionsWithoutReason(source: string): string[] {
  return source
    .split("\n")
    .filter((line) => /^\s*\/[/*]\s*(?:(?:ox|es)lint-disable|@ts-)/.test(line) && !/ -- \S/.test(line));
}

function typescriptFiles(folder: string): string[] {
  return readdirSync(new URL(folder, root), { recursive: true, encoding: "utf8" })
    .filter((file) => /\.tsx?$/.test(file))
    .map((file) => `${folder}/${file}`);
}
