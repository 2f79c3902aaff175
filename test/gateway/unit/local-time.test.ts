import { expect, test } from "vitest";
import { localTime, nextTimeOfDay, parseTimeOfDay } from "../../../src/gateway/domain/local-time.ts";

test.each([
  ["2025-01-06T11:59:59.999Z", "15:00", "2025-01-06T12:00:00.000Z"],
  ["2025-01-06T12:00:00.000Z", "15:00", "2025-01-06T12:00:00.000Z"],
  ["2025-01-06T12:00:00.001Z", "15:00", "2025-01-07T12:00:00.000Z"],
  ["2025-01-06T20:59:00.000Z", "00:00", "2025-01-06T21:00:00.000Z"],
  ["2025-01-06T12:00:00.000Z", "24:00", "2025-01-06T21:00:00.000Z"],
])("from %s the next %s in Nairobi is %s", (from, time, expected) => {
  const next = nextTimeOfDay(Date.parse(from), parseTimeOfDay(time) ?? 0);

  expect(new Date(next).toISOString()).toBe(expected);
});

test.each([
  ["2025-01-05T20:59:59Z", "sun", "23:59:59"],
  ["2025-01-05T21:00:00Z", "mon", "00:00"],
  ["1969-12-28T12:00:00Z", "sun", "15:00"],
])("%s in Nairobi is %s at %s", (at, weekday, time) => {
  const local = localTime(Date.parse(at));

  expect(local).toEqual({ weekday, timeOfDay: parseTimeOfDay(time) });
});

test.each(["24:01", "24:00:01", "25:00", "07:60", "07:30:60", "7:30", "07:3", "007:30", "07:300", "07:30:1", "noon"])(
  "%s is no time of day",
  (text) => {
    expect(parseTimeOfDay(text)).toBeUndefined();
  },
);

test.each([
  ["07:59", 28_740_000],
  ["07:30:59", 27_059_000],
  ["24:00", 86_400_000],
])("%s is %i ms after midnight", (text, millis) => {
  expect(parseTimeOfDay(text)).toBe(millis);
});
