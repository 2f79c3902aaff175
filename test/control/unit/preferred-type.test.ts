import { expect, test } from "vitest";
import { preferredType } from "../../../src/verdict/endpoints/report.ts";

const OFFERED = ["application/json", "text/html", "application/xml"] as const;

test.each([
  [null, "application/json"],
  ["*/*", "application/json"],
  ["text/html", "text/html"],
  ["TEXT/HTML;level=1", "text/html"],
  ["text/*", "text/html"],
  ["text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8", "text/html"],
  ["application/xml;q=0.9, application/json;q=0.5", "application/xml"],
  ["application/*;q=0.5, application/json;q=0", "application/xml"],
  ["image/png", "application/json"],
  ["nonsense;q=x", "application/json"],
])("of an Accept header of %s it is %s", (accept, type) => {
  expect(preferredType(accept, OFFERED)).toBe(type);
});
