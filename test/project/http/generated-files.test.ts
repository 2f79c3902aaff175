import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { generatedFiles } from "../../../scripts/generated-files.ts";

test.each([...generatedFiles])("npm run generate writes %s as it is", (path, text) => {
  expect(readFileSync(new URL(`../../../${path}`, import.meta.url), "utf8")).toBe(text);
});
