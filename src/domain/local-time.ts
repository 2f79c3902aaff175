import { DAY, HOUR, type Instant, type Millis, MINUTE, SECOND } from "./time.ts";

export const NAIROBI = "Africa/Nairobi";

export const WEEKDAYS = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;
export type Weekday = (typeof WEEKDAYS)[number];

/** A moment in local time. */
export interface LocalTime {
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

export function isTimeZone(zone: string): boolean {
  try {
    return offsetFormat(zone) !== undefined;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

export function localTime(at: Instant, zone: string): LocalTime {
  const local = at + offsetAt(at, zone);
  const days = Math.floor(local / DAY);
  // 1970-01-01 was a Thursday.
  return { weekday: WEEKDAYS[(((days + 3) % 7) + 7) % 7] ?? "mon", timeOfDay: local - days * DAY };
}

/** Returns the first moment, not before `from`, with this local time of day. */
export function nextTimeOfDay(from: Instant, timeOfDay: Millis, zone: string): Instant {
  const local = from + offsetAt(from, zone);
  const wanted = Math.floor(local / DAY) * DAY + timeOfDay;
  const day = wanted < local ? wanted + DAY : wanted;
  // If the offset changes on the way, the later one counts.
  const guess = day - offsetAt(from, zone);
  return day - offsetAt(guess, zone);
}

function offsetAt(at: Instant, zone: string): Millis {
  // UTC+3 without daylight saving since 1942 (tz database), and by far the most common zone here.
  if (zone === NAIROBI) return 3 * HOUR;
  const parts = offsetFormat(zone).formatToParts(at);
  const [, sign = "+", hours = "0", minutes = "0"] =
    /GMT(?:([+-])(\d\d):(\d\d))?/.exec(parts.find(({ type }) => type === "timeZoneName")?.value ?? "") ?? [];
  return (sign === "-" ? -1 : 1) * (Number(hours) * HOUR + Number(minutes) * MINUTE);
}

const formats = new Map<string, Intl.DateTimeFormat>();

function offsetFormat(zone: string): Intl.DateTimeFormat {
  const known = formats.get(zone);
  if (known !== undefined) return known;
  const made = new Intl.DateTimeFormat("en", { timeZone: zone, timeZoneName: "longOffset" });
  formats.set(zone, made);
  return made;
}
