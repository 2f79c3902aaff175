import { maskPhoneNumber } from "../domain/phone-number.ts";
import { printable } from "./wording.ts";

/** What a client sent may be in it, so it stays on one line, and phone numbers in it are masked like any other. */
export function quoted(text: string, maskPhoneNumbers: boolean): string {
  return printable(maskPhoneNumbers ? text.replace(/(?<!\d)\+?\d{9,15}(?!\d)/g, maskPhoneNumber) : text);
}
