import { DAY, HOUR } from "./time.ts";
import type { Instant, Millis } from "./time.ts";

/** Africa/Nairobi keeps UTC+3 without daylight saving, and has since 1942 (tz database, file `africa`, Zone Africa/Nairobi). */
const NAIROBI_OFFSET: Millis = 3 * HOUR;

/** 1970-01-01 was a Thursday, three days after a Monday. */
const DAYS_FROM_MONDAY_TO_EPOCH = 3;

const DAYS_A_WEEK = 7;
const WORKING_DAYS_A_WEEK = 5;

/**
 * The instant that many business days (Monday to Friday in Nairobi) later: whole days keep the time of day, and a start on
 * a weekend counts from Monday 00:00. Weekends have no length and a business day is its 24 hours, not office hours, so
 * fractions (2.5) are allowed, the order of starts is kept, and a result is never on a weekend.
 */
export function addBusinessDays(from: Instant, days: number): Instant {
  return instantAt(businessTimeAt(from) + Math.round(days * DAY));
}

/** Time since Monday 1969-12-29 in Nairobi with the weekends cut out. */
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
