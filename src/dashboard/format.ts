import type { Kes } from "../domain/kes.ts";
import { HOUR, type Instant, MINUTE, SECOND } from "../domain/time.ts";

const shillings = new Intl.NumberFormat("en-KE", { minimumFractionDigits: 2, maximumFractionDigits: 2 });

/** "1,234.50" */
export function money(amount: Kes): string {
  return shillings.format(amount / 100);
}

/** An amount as the control API has it: shillings. */
export function moneyOf(inShillings: number): string {
  return shillings.format(inShillings);
}

const clock = new Intl.DateTimeFormat("en-GB", { timeZone: "Africa/Nairobi", timeStyle: "medium" });
const day = new Intl.DateTimeFormat("en-GB", {
  timeZone: "Africa/Nairobi",
  weekday: "short",
  day: "numeric",
  month: "short",
  year: "numeric",
});

/** "09:00:00" in Nairobi. */
export function timeOfDay(at: Instant): string {
  return clock.format(at);
}

/** "Mon 6 Jan 2025" in Nairobi. */
export function dayOf(at: Instant): string {
  return day.format(at).replaceAll(",", "");
}

/** "just now", "4 min ago", "in 2 h". */
export function relative(at: Instant, now: Instant): string {
  const far = Math.abs(at - now);
  if (far < 5 * SECOND) return "just now";
  const [count, unit] =
    far < MINUTE ? [far / SECOND, "s"] : far < HOUR ? [far / MINUTE, "min"] : far < DAYS ? [far / HOUR, "h"] : [far / DAY, "d"];
  const length = `${Math.floor(count)} ${unit}`;
  return at > now ? `in ${length}` : `${length} ago`;
}

const DAY = 24 * HOUR;
const DAYS = 2 * DAY;

/** "254712345678" as "+254 712 345 678"; anything else as it is. */
export function phone(number: string): string {
  const [, prefix, a, b, c] = /^(254)(\d{3})(\d{3})(\d{3})$/.exec(number) ?? [];
  return prefix === undefined ? number : `+${prefix} ${a} ${b} ${c}`;
}
