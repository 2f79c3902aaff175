import { counted } from "../../gateway/domain/counted.ts";
import { computed, signal } from "@preact/signals";
import { cents, showKes } from "../../gateway/domain/kes.ts";
import { HOUR, type Instant, MINUTE, SECOND } from "../../gateway/domain/time.ts";

/** Formats an amount from the control API, in shillings. */
export function moneyOf(inShillings: number): string {
  return showKes(cents(Math.round(inShillings * 100)));
}

/** The time zone in which times are shown. */
export type Zone = "Africa/Nairobi" | "UTC";

export const zone = signal<Zone>("Africa/Nairobi");

const clock = computed(() => new Intl.DateTimeFormat("en-GB", { timeZone: zone.value, timeStyle: "medium" }));
const day = computed(
  () =>
    new Intl.DateTimeFormat("en-GB", {
      timeZone: zone.value,
      weekday: "short",
      day: "numeric",
      month: "short",
      year: "numeric",
    }),
);

/** "in Nairobi", "UTC" */
export function zoneWords(): string {
  return zone.value === "UTC" ? "UTC" : "in Nairobi";
}

/** "09:00:00" */
export function clockTime(at: Instant): string {
  return clock.value.format(at);
}

/** "09:00:00.000" */
export function timeOfDay(at: Instant): string {
  return `${clock.value.format(at)}.${String(Math.trunc(at) % SECOND).padStart(3, "0")}`;
}

/** "Mon 6 Jan 2025" */
export function dayOf(at: Instant): string {
  return day.value.format(at).replaceAll(",", "");
}

/** "just now", "4 min ago", "in 2 h". */
export function relative(at: Instant, now: Instant): string {
  const far = Math.abs(at - now);
  if (far < 5 * SECOND) return "just now";
  const [count, unit] =
    far < MINUTE
      ? [far / SECOND, "s"]
      : far < HOUR
        ? [far / MINUTE, "min"]
        : far < DAYS
          ? [far / HOUR, "h"]
          : [far / DAY, "d"];
  const length = `${Math.floor(count)} ${unit}`;
  return at > now ? `in ${length}` : `${length} ago`;
}

const DAY = 24 * HOUR;
const DAYS = 2 * DAY;

/** Formats "254712345678" as "+254 712 345 678". Returns anything else unchanged. */
export function phone(number: string): string {
  const [, prefix, a, b, c] = /^(254)(\d{3})(\d{3})(\d{3})$/.exec(number) ?? [];
  return prefix === undefined ? number : `+${prefix} ${a} ${b} ${c}`;
}

/** "3 of 24 requests", "24 requests" */
export function countedOf(shown: number, all: number, one: string, many?: string): string {
  return `${shown === all ? "" : `${shown.toLocaleString("en")} of `}${counted(all, one, many)}`;
}

/** The longest consumer key that the account selector shows in full. */
const SHORT_KEY = 24;

/** Shortens a long key in the middle, unless another key would look the same. */
export function shortKey(key: string, others: readonly string[]): string {
  const short = withoutMiddle(key);
  const isAlone = others.every((other) => other === key || withoutMiddle(other) !== short);
  return isAlone ? short : key;
}

function withoutMiddle(key: string): string {
  return key.length <= SHORT_KEY ? key : `${key.slice(0, 9)}…${key.slice(-14)}`;
}

/** Converts an amount as people write it ("KES 1,000", "1 000.50") to the control API's form. Returns anything else unchanged. */
export function plainAmount(written: string): string {
  const plain = written.trim().replace(/^(?:KES|KSh)\.?\s*/i, "");
  return /^\d{1,3}(?:[, ]\d{3})+(?:\.\d{1,2})?$/.test(plain) ? plain.replace(/[, ]/g, "") : plain;
}
