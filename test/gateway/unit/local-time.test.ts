import { expect, test } from "vitest";
import { isTimeZone, localTime, nextTimeOfDay, parseTimeOfDay } from "../../../src/gateway/domain/local-time.ts";

test.each([
  ["2025-01-06T11:59:59.999Z", "15:00", "Africa/Nairobi", "2025-01-06T12:00:00.000Z"],
  ["2025-01-06T12:00:00.000Z", "15:00", "Africa/Nairobi", "2025-01-06T12:00:00.000Z"],
  ["2025-01-06T12:00:00.001Z", "15:00", "Africa/Nairobi", "2025-01-07T12:00:00.000Z"],
  ["2025-01-06T20:59:00.000Z", "00:00", "Africa/Nairobi", "2025-01-06T21:00:00.000Z"],
  ["2025-01-06T12:00:00.000Z", "24:00", "Africa/Nairobi", "2025-01-06T21:00:00.000Z"],
  ["2025-01-06T12:00:00.000Z", "15:00", "UTC", "2025-01-06T15:00:00.000Z"],
  ["2025-01-06T12:00:00.000Z", "09:00", "America/New_York", "2025-01-06T14:00:00.000Z"],
  ["2025-01-06T12:00:00.000Z", "09:00", "Asia/Kolkata", "2025-01-07T03:30:00.000Z"],
  ["2025-03-29T20:00:00.000Z", "12:00", "Europe/Berlin", "2025-03-30T10:00:00.000Z"],
  ["2025-10-25T20:00:00.000Z", "12:00", "Europe/Berlin", "2025-10-26T11:00:00.000Z"],
])("from %s the next %s in %s is %s", (from, time, zone, expected) => {
  const next = nextTimeOfDay(Date.parse(from), parseTimeOfDay(time) ?? 0, zone);

  expect(new Date(next).toISOString()).toBe(expected);
});

test.each([
  ["2025-01-05T20:59:59Z", "Africa/Nairobi", "sun", "23:59:59"],
  ["2025-01-05T21:00:00Z", "Africa/Nairobi", "mon", "00:00"],
  ["2025-01-06T04:30:00Z", "America/New_York", "sun", "23:30"],
  ["2025-01-06T04:30:00Z", "Asia/Kolkata", "mon", "10:00"],
  ["2025-01-06T04:30:00Z", "UTC", "mon", "04:30"],
  ["1969-12-28T12:00:00Z", "UTC", "sun", "12:00"],
])("%s in %s is %s at %s", (at, zone, weekday, time) => {
  const local = localTime(Date.parse(at), zone);

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

test("knows which time zones there are", () => {
  expect(isTimeZone("Europe/Berlin")).toBe(true);
  expect(isTimeZone("Mars/Olympus_Mons")).toBe(false);
});
