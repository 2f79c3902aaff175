import type { ClockState } from "../../../account/clock.ts";
import type { ClockChange } from "./read-clock.ts";

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
