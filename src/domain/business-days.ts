import { DAY, HOUR } from "./time.ts";
import type { Instant, Millis } from "./time.ts";

/** Africa/Nairobi has been UTC+3 without daylight saving since 1942 (tz database, file `africa`, Zone Africa/Nairobi). */
const NAIROBI_OFFSET: Millis = 3 * HOUR;

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
