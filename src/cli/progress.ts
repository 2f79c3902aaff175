import type { Terminal } from "./terminal.ts";
import { printable } from "./output.ts";

/** Shows the current activity. */
export interface Progress {
  /** The width of a live line; undefined without a terminal. */
  readonly columns?: number;
  say(words: string): void;
  /** Replaces the live lines; does nothing without a terminal. */
  show(lines: readonly string[]): void;
  /** Leaves no trace of the live lines. */
  clear(): void;
}

/** The assumed width if the terminal does not report its own. A longer line could not be erased completely. */
const COLUMNS = 80;

/** Rewrites live lines on a terminal; elsewhere, prints a line for each step. */
export function progressOn({ stderr }: Pick<Terminal, "stderr">): Progress {
  if (!stderr.isTTY) {
    const say = (words: string): void => stderr.write(`${printable(words)}\n`);
    return { say, show: () => {}, clear: () => {} };
  }
  let shown = 0;
  const show = (lines: readonly string[]): void => {
    stderr.write(`${ERASE}${ERASE_ABOVE.repeat(Math.max(0, shown - 1))}${lines.join("\n")}`);
    shown = lines.length;
  };
  const columns = (stderr.columns ?? COLUMNS) - 1;
  const say = (words: string): void => show([Array.from(printable(words)).slice(0, columns).join("")]);
  return { columns, say, show, clear: () => show([]) };
}

/** Returns to the first column and erases the line (ECMA-48: EL). */
const ERASE = "\r\u001b[2K";

/** Also erases the line above (ECMA-48: CUU). */
const ERASE_ABOVE = "\u001b[1A\u001b[2K";
