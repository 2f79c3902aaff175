import { expect, test } from "vitest";
import { negotiate } from "../../../src/control/negotiate.ts";

test.each([
  [undefined, "application/json"],
  ["", "application/json"],
  ["*/*", "application/json"],
  ["text/html", "application/json"],
  ["text/csv", "text/csv"],
  ["TEXT/CSV", "text/csv"],
  ["text/csv; header=present", "text/csv"],
  ["text/*", "text/csv"],
  ["text/csv, */*", "text/csv"],
  ["text/csv, application/json", "text/csv"],
  ["application/json, text/csv", "application/json"],
  ["text/csv;q=0.1, application/json", "application/json"],
  ["application/json;q=0.2, text/csv;q=0.9", "text/csv"],
  ["text/csv;q=0", "application/json"],
  ["text/csv; q=0.0, */*", "application/json"],
  ["text/csv;q=0, text/*", "application/json"],
  ["application/json;q=0, */*", "text/csv"],
  ["text/csvish", "application/json"],
  [";;,q=", "application/json"],
])("of JSON and CSV, Accept: %s prefers %s", (accept, type) => {
  expect(negotiate(accept, ["application/json", "text/csv"])).toBe(type);
});

test.each([
  ["gzip, deflate, br", "gzip"],
  ["br;q=1.0, gzip;q=0.8, *;q=0.1", "gzip"],
  ["gzip;q=0", "identity"],
  ["identity, gzip;q=0.5", "identity"],
  [undefined, "identity"],
])("of the codings, Accept-Encoding: %s prefers %s", (accept, coding) => {
  expect(negotiate(accept, ["identity", "gzip"])).toBe(coding);
});

test("browsers prefer the page, and curl the text", () => {
  const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";

  expect(negotiate(browser, ["text/plain", "text/html"])).toBe("text/html");
  expect(negotiate("*/*", ["text/plain", "text/html"])).toBe("text/plain");
});
