import { expect, test } from "vitest";
import { formatInstant, parseInstant } from "../../../src/gateway/domain/time.ts";

test.each([
  ["2025-01-06T06:00:00Z", "2025-01-06T06:00:00.000Z"],
  ["2025-01-06T09:00+03:00", "2025-01-06T06:00:00.000Z"],
  ["2025-01-06T06:00:00.250Z", "2025-01-06T06:00:00.250Z"],
])("reads %s", (text, moment) => {
  expect(formatInstant(parseInstant(text) ?? 0)).toBe(moment);
});

test.each(["2025-01-06", "2025-01-06T06:00:00", "2025-13-06T06:00:00Z", "Monday", ""])(
  "does not take %j for a moment",
  (text) => {
    expect(parseInstant(text)).toBeUndefined();
  },
);
