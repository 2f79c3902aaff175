import type { Terminal } from "./terminal.ts";

/** Shillings for people: "KES 10,000.00"; a question mark for what is no number. */
export function sayKes(amount: number | undefined): string {
  return `KES ${amount === undefined ? "?" : amount.toFixed(2).replace(/\d(?=(?:\d{3})+\.)/g, "$&,")}`;
}

/** "1 callback", "2 callbacks". */
export function count(number: number, noun: string): string {
  return `${number} ${noun}${number === 1 ? "" : "s"}`;
}

/** Text from elsewhere on one line, without what could steer a terminal. */
export function printable(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ");
}

/** Green for what went well, red for what did not; plain where nobody looks or NO_COLOR is set (no-color.org). */
export function paint(text: string, isWell: boolean, { stdout, env }: Terminal): string {
  if (!stdout.isTTY || env["NO_COLOR"]) return text;
  return `\u001b[${isWell ? 32 : 31}m${text}\u001b[39m`;
}
