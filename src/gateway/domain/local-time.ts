import { DAY, HOUR, type Instant, type Millis, MINUTE, SECOND } from "./time.ts";

/** Africa/Nairobi has been UTC+3 without daylight saving since 1942 (tz database, file `africa`, Zone Africa/Nairobi). */
const NAIROBI_OFFSET: Millis = 3 * HOUR;

export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** A moment in local time. */
interface LocalTime {
  readonly weekday: Weekday;
  /** Since midnight. */
  readonly timeOfDay: Millis;
}

/** Parses a time of day: "15:00", "07:30:15", or "24:00" for the end of a day. */
export function parseTimeOfDay(text: string): Millis | undefined {
  const [, hours, minutes, seconds = "0"] = /^(\d\d):(\d\d)(?::(\d\d))?$/.exec(text) ?? [];
  if (hours === undefined || Number(minutes) > 59 || Number(seconds) > 59) return undefined;
  const millis = Number(hours) * HOUR + Number(minutes) * MINUTE + Number(seconds) * SECOND;
  return millis <= DAY ? millis : undefined;
}

/** Returns a moment's local time in Nairobi. */
export function localTime(at: Instant): LocalTime {
  const local = at + NAIROBI_OFFSET;
  const days = Math.floor(local / DAY);
  // 1970-01-01 was a Thursday.
  return { weekday: WEEKDAYS[(((days + 3) % 7) + 7) % 7] ?? "mon", timeOfDay: local - days * DAY };
}

/** Returns the first moment, not before `from`, with this time of day in Nairobi. */
export function nextTimeOfDay(from: Instant, timeOfDay: Millis): Instant {
  const midnight = from - localTime(from).timeOfDay;
  const today = midnight + timeOfDay;
  return today < from ? today + DAY : today;
}

/** 1970-01-01 was a Thursday, three days after a Monday. */
const DAYS_FROM_MONDAY_TO_EPOCH = 3;

const DAYS_A_WEEK = 7;
const WORKING_DAYS_A_WEEK = 5;

/**
 * Adds business days (Monday to Friday in Nairobi) to an instant. Whole days keep the time of day; a start on a weekend counts from Monday
 * 00:00. A business day has 24 hours, and weekends have no length. So fractions such as 2.5 work, later starts never give earlier results,
 * and a result never falls on a weekend.
 */
export function addBusinessDays(from: Instant, days: number): Instant {
  return instantAt(businessTimeAt(from) + Math.round(days * DAY));
}

/** Returns the time since Monday 1969-12-29 in Nairobi with the weekends cut out. */
function businessTimeAt(at: Instant): Millis {
  const sinceMonday = at + NAIROBI_OFFSET + DAYS_FROM_MONDAY_TO_EPOCH * DAY;
  const week = Math.floor(sinceMonday / (DAYS_A_WEEK * DAY));
  const inWeek = sinceMonday - week * DAYS_A_WEEK * DAY;
  return week * WORKING_DAYS_A_WEEK * DAY + Math.min(inWeek, WORKING_DAYS_A_WEEK * DAY);
}

function instantAt(businessTime: Millis): Instant {
  const week = Math.floor(businessTime / (WORKING_DAYS_A_WEEK * DAY));
  const weekends = week * (DAYS_A_WEEK - WORKING_DAYS_A_WEEK) * DAY;
  return businessTime + weekends - DAYS_FROM_MONDAY_TO_EPOCH * DAY - NAIROBI_OFFSET;
}
