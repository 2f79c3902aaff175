import type { ClockSettings } from "../domain/settings.ts";

/** Faster than this, a second of wall time is more than a day. */
export const FASTEST = 100_000;

/** Reads a clock out of a word: "real", "manual", "x10". */
export function readClockWord(text: string): ClockSettings | undefined {
  if (text === "real" || text === "manual") return { mode: text };
  const scale = Number(/^x(\d{1,6}(?:\.\d{1,6})?)$/.exec(text)?.[1] ?? 0);
  return scale > 0 && scale <= FASTEST ? { mode: "scaled", scale } : undefined;
}
