/** Milliseconds since 1970-01-01T00:00:00Z, on whichever clock the name says. */
export type Instant = number;

/** A length of time in milliseconds. */
export type Millis = number;

export const SECOND: Millis = 1_000;
export const MINUTE: Millis = 60 * SECOND;
export const HOUR: Millis = 60 * MINUTE;
export const DAY: Millis = 24 * HOUR;

const UNITS = { ms: 1, s: SECOND, m: MINUTE, h: HOUR, d: DAY };

/** Reads one number and one unit: "250ms", "5s", "1.5m", "2h", "3d"; a bare "0" needs none. */
export function parseDuration(text: string): Millis | undefined {
  if (text === "0") return 0;
  const [, count, unit] = /^(\d{1,12}(?:\.\d{1,6})?)(ms|s|m|h|d)$/.exec(text) ?? [];
  return isUnit(unit) ? Math.round(Number(count) * UNITS[unit]) : undefined;
}

/** The shortest exact form that `parseDuration` reads back. */
export function formatDuration(millis: Millis): string {
  const unit = (["d", "h", "m", "s"] as const).find((name) => millis > 0 && millis % UNITS[name] === 0) ?? "ms";
  return `${millis / UNITS[unit]}${unit}`;
}

export function formatInstant(at: Instant): string {
  return new Date(at).toISOString();
}

/** A moment with its zone: ISO 8601 without one would mean another moment on each machine. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,3})?)?(Z|[+-]\d\d:\d\d)$/;

/** Reads a date, a time and a zone: "2025-01-06T09:00:00+03:00". */
export function parseInstant(text: string): Instant | undefined {
  const at = MOMENT.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(at) ? undefined : at;
}

function isUnit(unit: string | undefined): unit is keyof typeof UNITS {
  return unit !== undefined && Object.hasOwn(UNITS, unit);
}
