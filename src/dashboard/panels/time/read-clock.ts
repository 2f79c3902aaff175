import type { ClockState } from "../../../account/clock.ts";
import { formatInstant } from "../../../domain/time.ts";
import { fromLocalText } from "../../format.ts";

/** What the control API takes for a clock. */
export interface ClockChange {
  readonly mode: ClockState["mode"];
  readonly scale?: number;
  /** ISO 8601 with its zone. */
  readonly now?: string;
}

/** What a form for it holds. */
export interface WrittenClock {
  readonly mode: ClockState["mode"];
  /** Seconds of account time in a second of wall time. */
  readonly scale: string;
  /** Date and time in the zone that is shown, as the browser's field has it; empty to go on from now. */
  readonly start: string;
}

export function readClock({ mode, scale, start }: WrittenClock): ClockChange {
  if (mode === "real") return { mode };
  const at = fromLocalText(start);
  const now = at === undefined ? {} : { now: formatInstant(at) };
  return mode === "manual" ? { mode, ...now } : { mode, scale: Number(scale), ...now };
}

/** "real", "scaled ×10", "manual". */
export function modeWords(clock: ClockState): string {
  return clock.mode === "scaled" ? `scaled ×${clock.scale}` : clock.mode;
}

/** What a mode means, for whoever chooses one. */
export const MODES = [
  { mode: "real", word: "Real", says: "follows wall time" },
  { mode: "scaled", word: "Scaled", says: "runs faster or slower than wall time" },
  { mode: "manual", word: "Manual", says: "stands still until it is advanced: tests need no sleeping" },
] as const satisfies readonly { readonly mode: ClockChange["mode"]; readonly word: string; readonly says: string }[];
