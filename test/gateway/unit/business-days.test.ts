import { expect, test } from "vitest";
import { addBusinessDays } from "../../../src/gateway/domain/local-time.ts";
import { formatInstant } from "../../../src/gateway/domain/time.ts";

// 2025-01-06 is a Monday. Offsets are written out, so that each line reads as a clock in Nairobi does.
test.each([
  ["Monday morning", "2025-01-06T09:00:00+03:00", 2, "2025-01-08T09:00:00+03:00"],
  ["Wednesday", "2025-01-08T12:30:15+03:00", 3, "2025-01-13T12:30:15+03:00"],
  ["Friday evening", "2025-01-10T22:00:00+03:00", 1, "2025-01-13T22:00:00+03:00"],
  ["the last millisecond of Friday", "2025-01-10T23:59:59.999+03:00", 1, "2025-01-13T23:59:59.999+03:00"],
  ["Saturday", "2025-01-11T15:00:00+03:00", 2, "2025-01-15T00:00:00+03:00"],
  ["Saturday, no days", "2025-01-11T15:00:00+03:00", 0, "2025-01-13T00:00:00+03:00"],
  ["Sunday", "2025-01-12T23:59:00+03:00", 2, "2025-01-15T00:00:00+03:00"],
  ["Friday in UTC that is Saturday in Nairobi", "2025-01-10T21:00:00Z", 1, "2025-01-14T00:00:00+03:00"],
  ["Sunday in UTC that is Monday in Nairobi", "2025-01-12T22:00:00Z", 1, "2025-01-14T01:00:00+03:00"],
  ["Thursday, two weeks", "2025-01-09T09:00:00+03:00", 10, "2025-01-23T09:00:00+03:00"],
  ["Thursday, one day and a half", "2025-01-09T18:00:00+03:00", 1.5, "2025-01-13T06:00:00+03:00"],
  ["Friday noon, half a day", "2025-01-10T12:00:00+03:00", 0.5, "2025-01-13T00:00:00+03:00"],
  ["a Wednesday before 1970", "1969-12-24T09:00:00+03:00", 3, "1969-12-29T09:00:00+03:00"],
])("counts business days in Nairobi from %s", (_, from, days, expected) => {
  const result = addBusinessDays(Date.parse(from), days);

  expect(formatInstant(result)).toBe(formatInstant(Date.parse(expected)));
});
