import type { Terminal } from "../terminal.ts";
import { printable } from "./text.ts";

/** What is being done at the moment. */
export interface Progress {
  say(words: string): void;
  /** Leaves no trace of the live line. */
  clear(): void;
}

/** Columns of the live line; a longer one would leave its beginning behind. */
const COLUMNS = 79;

/** One line that is written over and over where somebody looks at it, and a line for each thing elsewhere. */
export function progressOn({ stderr }: Pick<Terminal, "stderr">): Progress {
  if (!stderr.isTTY) return { say: (words) => stderr.write(`${printable(words)}\n`), clear: () => {} };
  return {
    say: (words) => stderr.write(`${ERASE}${Array.from(printable(words)).slice(0, COLUMNS).join("")}`),
    clear: () => stderr.write(ERASE),
  };
}

/** Back to the first column, and the line away (ECMA-48: EL). */
const ERASE = "\r\u001b[2K";
