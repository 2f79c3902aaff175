// Apart from the schemas that ask these, which need zod.
import { parsePhoneNumber } from "../domain/phone-number.ts";
import { SINK_URL } from "../domain/settings.ts";
import { DAY, type Millis, parseDuration } from "../domain/time.ts";

/** A longer time is a slip: timers and dates stay exact well beyond a year. */
const LONGEST: Millis = 366 * DAY;

/** Reads a length of time of at most 366 days. */
export function readDuration(text: string): Millis | undefined {
  const millis = parseDuration(text);
  return millis === undefined || millis > LONGEST ? undefined : millis;
}

/** Reads a percentage in hundredths of a percent: "6%" is 600. */
export function readPercent(text: string): number | undefined {
  const [, whole, decimals = ""] = /^(\d{1,3})(?:\.(\d{1,2}))?%$/.exec(text) ?? [];
  const hundredths = Number(whole) * 100 + Number(decimals.padEnd(2, "0"));
  return whole === undefined || hundredths > 10_000 ? undefined : hundredths;
}

export function isPhoneNumber(text: string): boolean {
  return parsePhoneNumber(text, "document") !== undefined;
}

export function isCallbackUrl(text: string): boolean {
  if (text === SINK_URL) return true;
  return /^https?:\/\/[^/?#\s]/i.test(text) && !/\s/.test(text) && URL.canParse(text);
}
