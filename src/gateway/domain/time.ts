/** Milliseconds since 1970-01-01T00:00:00Z, on the clock that the variable's name implies. */
export type Instant = number;

/** A duration in milliseconds. */
export type Millis = number;

export const SECOND: Millis = 1_000;
export const MINUTE: Millis = 60 * SECOND;
export const HOUR: Millis = 60 * MINUTE;
export const DAY: Millis = 24 * HOUR;

/** The last moment that a clock may show: the year of a later one has more than four digits. */
export const LAST_MOMENT: Instant = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

/** Longer durations are mistakes: timers and dates stay exact well beyond a year. */
export const LONGEST_DURATION: Millis = 366 * DAY;

const UNITS = { d: DAY, h: HOUR, m: MINUTE, s: SECOND, ms: 1 };

const COUNT = String.raw`(\d{1,12}(?:\.\d{1,6})?)`;
const COMPACT = new RegExp(`^(?:${COUNT}d)?(?:${COUNT}h)?(?:${COUNT}m)?(?:${COUNT}s)?(?:${COUNT}ms)?$`);
const ISO_8601 = new RegExp(`^P(?:${COUNT}D)?(?:T(?:${COUNT}H)?(?:${COUNT}M)?(?:${COUNT}S)?)?$`);

/** Parses numbers with units, longest unit first ("250ms", "1.5m", "1h30m"), or ISO 8601 ("PT5M"). "0" needs no unit. */
export function parseDuration(text: string): Millis | undefined {
  if (text === "0") return 0;
  const [, ...counts] = COMPACT.exec(text) ?? ISO_8601.exec(text) ?? [];
  if (counts.every((count) => count === undefined)) return undefined;
  return Math.round(Object.values(UNITS).reduce((sum, unit, index) => sum + Number(counts[index] ?? 0) * unit, 0));
}

/** Returns the shortest exact form that `parseDuration` accepts. */
export function formatDuration(millis: Millis): string {
  const unit = WHOLE_UNITS.find((name) => millis > 0 && millis % UNITS[name] === 0) ?? "ms";
  return `${millis / UNITS[unit]}${unit}`;
}

const WHOLE_UNITS = ["d", "h", "m", "s"] as const;

export function formatInstant(at: Instant): string {
  return new Date(at).toISOString();
}

/** Requires a zone: without one, ISO 8601 would mean a different moment on each machine. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;

/** Parses a date since 1970 with time and zone: "2025-01-06T09:00:00+03:00". */
export function parseInstant(text: string): Instant | undefined {
  const at = MOMENT.test(text) && isDayOfCalendar(text.slice(0, 10)) ? Date.parse(text) : Number.NaN;
  return at >= 0 && at <= LAST_MOMENT ? at : undefined;
}

/** `Date.parse` takes the 30th of February for the 2nd of March. */
function isDayOfCalendar(day: string): boolean {
  const at = Date.parse(day);
  return !Number.isNaN(at) && formatInstant(at).startsWith(day);
}
