import util from "node:util";
import { maskPhoneNumbers } from "../../gateway/domain/carrier.ts";
import type { Terminal } from "./terminal.ts";

/** Formats shillings for people: "KES 10,000.00". Shows a question mark if there is no number. */
export function formatShillings(amount: number | undefined): string {
  return `KES ${amount === undefined ? "?" : amount.toFixed(2).replace(/\d(?=(?:\d{3})+\.)/g, "$&,")}`;
}

/** Returns external text on one line, without characters that control a terminal. */
export function printable(text: string): string {
  return escapeBidi(text.replace(/[\p{Cc}\u2028\u2029]+/gu, " "));
}

/** The same for text of several lines. */
export function printableLines(text: string): string {
  return text.split("\n").map(printable).join("\n");
}

/** Escapes characters that change the direction of a line (Unicode TR9 section 2) and would show it in another order. */
export function escapeBidi(text: string): string {
  return text.replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, escaped);
}

function escaped(control: string): string {
  return `\\u${control.charCodeAt(0).toString(16).padStart(4, "0")}`;
}

/** Colors a text: green for success, red for failure. Leaves it plain unless `hasColors`. */
export function paint(
  text: string,
  style: "dim" | "red" | "green" | "yellow",
  terminal: Pick<Terminal, "stdout" | "env">,
): string {
  return hasColors(terminal) ? util.styleText(style, text, { validateStream: false }) : text;
}

/** Returns whether output is a terminal and NO_COLOR is not set (no-color.org). */
export function hasColors({ stdout, env }: Pick<Terminal, "stdout" | "env">): boolean {
  return stdout.isTTY && !env["NO_COLOR"];
}

/** A narrower last column goes on a line of its own. */
const NARROWEST = 24;

/**
 * Formats rows as aligned, indented columns under their headings, without characters that control a terminal. On a terminal, they fit its
 * width: the last column is wrapped, and `paintLast` may color it by the number of its row.
 */
export function formatTable(
  headings: readonly string[],
  rows: readonly (readonly string[])[],
  { stdout }: Pick<Terminal, "stdout">,
  paintLast: (text: string, row: number) => string = (text) => text,
): string[] {
  if (rows.length === 0) return [];
  const all = [headings, ...rows.map((row) => row.map(printable))];
  const widths = headings.slice(0, -1).map((_, column) => Math.max(...all.map((row) => row[column]?.length ?? 0)));
  const before = widths.reduce((sum, width) => sum + width + 2, 2);
  const columns = stdout.isTTY ? (stdout.columns ?? COLUMNS) : Infinity;
  const isBelow = columns - before < NARROWEST;
  return all.flatMap((row, number) => {
    const start = `  ${widths.map((width, column) => `${(row[column] ?? "").padEnd(width)}  `).join("")}`;
    const lines = wrap(row.at(-1) ?? "", columns - (isBelow ? 4 : before)).map((line) =>
      number === 0 ? line : paintLast(line, number - 1),
    );
    if (isBelow) return [start.trimEnd(), ...lines.map((line) => `    ${line}`)];
    return lines.map((line, index) => `${index === 0 ? start : " ".repeat(before)}${line}`.trimEnd());
  });
}

/** Breaks a text between words. A word that is too long stays whole. */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(" ")) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** Returns text that may contain client input: on one line, with phone numbers masked if they are to be. */
export function quoted(text: string, isMasked: boolean): string {
  return printable(isMasked ? maskPhoneNumbers(text) : text);
}

/** Shows the current activity. */
export interface ProgressDisplay {
  say(words: string): void;
  /** Leaves no trace of the live line. */
  clear(): void;
}

/** The assumed width if the terminal does not report its own. A longer line could not be erased completely. */
const COLUMNS = 80;

/** Rewrites a live line on a terminal; elsewhere, prints a line for each step. */
export function progressOn({ stderr }: Pick<Terminal, "stderr">): ProgressDisplay {
  if (!stderr.isTTY) return { say: (words) => stderr.write(`${printable(words)}\n`), clear: () => {} };
  const columns = (stderr.columns ?? COLUMNS) - 1;
  const say = (words: string): void =>
    stderr.write(`${ERASE}${Array.from(printable(words)).slice(0, columns).join("")}`);
  return { say, clear: () => stderr.write(ERASE) };
}

/** Returns to the first column and erases the line (ECMA-48: EL). */
const ERASE = "\r\u001b[2K";
