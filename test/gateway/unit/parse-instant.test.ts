import { expect, test } from "vitest";
import { formatInstant, parseInstant } from "../../../src/gateway/domain/time.ts";

test.each([
  ["2025-01-06T06:00:00Z", "2025-01-06T06:00:00.000Z"],
  ["2025-01-06T09:00+03:00", "2025-01-06T06:00:00.000Z"],
  ["2025-01-06T06:00:00.250Z", "2025-01-06T06:00:00.250Z"],
  ["2024-02-29T23:30:00-03:00", "2024-03-01T02:30:00.000Z"],
])("reads %s", (text, moment) => {
  expect(formatInstant(parseInstant(text) ?? 0)).toBe(moment);
});

test.each([
  "2025-01-06",
  "2025-01-06T06:00:00",
  "2025-13-06T06:00:00Z",
  "2025-02-30T06:00:00Z",
  "2025-02-29T23:30:00-03:00",
  "9999-12-31T23:59:00-03:00",
  "Monday",
  "",
])("does not take %j for a moment", (text) => {
  expect(parseInstant(text)).toBeUndefined();
});
