import type { Terminal } from "../terminal.ts";
import { printable } from "./text.ts";

/** What is being done at the moment. */
export interface Progress {
  /** Columns of a live line; undefined where nobody looks at them. */
  readonly columns?: number;
  say(words: string): void;
  /** Lines that fit, in place of those before; nothing where nobody looks. */
  show(lines: readonly string[]): void;
  /** Leaves no trace of the live lines. */
  clear(): void;
}

/** Columns where the terminal does not tell its own; a longer line would leave its beginning behind. */
const COLUMNS = 80;

/** Lines that are written over and over where somebody looks at them, and a line for each thing elsewhere. */
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

/** Back to the first column, and the line away (ECMA-48: EL). */
const ERASE = "\r\u001b[2K";

/** The line above away too (ECMA-48: CUU). */
const ERASE_ABOVE = "\u001b[1A\u001b[2K";
