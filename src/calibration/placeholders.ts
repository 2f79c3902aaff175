import { phoneBeginning, requestIdForm } from "./known-forms.ts";
import { readSentence, type Slot, TELLING_WORDS, writeSentence } from "./known-sentences.ts";

/** What a redacted value shows of the one that it replaces: its kind and its length. None has five digits in a row. */

/** Hides every letter, digit and sign but the common punctuation, which shows that a text is an e-mail address or a time. */
export function hideText(text: string): string {
  return text.replaceAll(/\s/gu, " ").replaceAll(/[^ .,;:!?'"()/@-]/gu, "x");
}

/** Digits of a number that are shown on either side of its point. */
const MAX_DIGITS = 4;

/**
 * Returns a number with other digits and as many decimals. Zero stays zero, and so does a zero at the end, by which guesses see how amounts
 * are written. Up to four digits stand for more.
 */
export function hideNumber(text: string): string {
  const [, sign = "", whole = "", fraction] = /^(-?)(\d+)(?:\.(\d+))?/.exec(text) ?? [];
  const isZero = Number(text) === 0;
  const hidden = isZero || whole === "0" ? "0" : "1".repeat(Math.min(whole.length, MAX_DIGITS));
  if (fraction === undefined) return sign + hidden;
  const decimals = Math.min(fraction.length, MAX_DIGITS);
  const last = isZero || fraction.endsWith("0") ? "0" : "1";
  return `${sign}${hidden}.${(isZero ? "0" : "1").repeat(decimals - 1)}${last}`;
}

/** A number as JSON or an amount's text writes it, without an exponent. */
export function isDecimal(text: string): boolean {
  return /^-?\d{1,20}(?:\.\d{1,20})?$/.test(text);
}

/** Keeps the country code and the prefix, apart from one another: 254712345678 becomes 254-712-xxxx. */
export function hidePhone(text: string): string {
  const begun = phoneBeginning(text);
  if (begun === undefined) return hideText(text);
  const { country, prefix } = begun;
  const kept = country === "" ? prefix : country === "0" ? `0${prefix}` : `${country}-${prefix}`;
  return `${kept}-`.padEnd(text.length, "x");
}

/** Keeps a known sentence but for the values in it, and of another one the words by which guesses tell it apart. */
export function hideSentence(text: string): string {
  const known = readSentence(text);
  return known === undefined ? keepOnly(Object.values(TELLING_WORDS), text) : writeSentence(known, hideSlot);
}

function hideSlot(slot: Slot, value: string): string {
  if (slot === "phone") return hidePhone(value);
  if (slot === "sender") return hideText(value);
  return slot === "amount" || (slot === "limit" && !PUBLIC_LIMITS.has(value)) ? hideNumber(value) : value;
}

/** What the public pages say about airtime (public-facts.md). */
const PUBLIC_LIMITS: ReadonlySet<string> = new Set(["5", "5.00", "10000", "10000.00"]);

/** Keeps what each pattern finds first: more would tell guesses nothing, and may be a number in pieces. */
function keepOnly(kept: readonly RegExp[], text: string): string {
  const found = kept
    .map((pattern) => pattern.exec(text))
    .filter((one) => one !== null)
    .toSorted((one, other) => one.index - other.index);
  let hidden = "";
  let at = 0;
  for (const { index, 0: word } of found) {
    const end = index + word.length;
    if (end <= at) continue;
    hidden += hideText(text.slice(at, index)) + text.slice(Math.max(at, index), end);
    at = end;
  }
  return hidden + hideText(text.slice(at));
}

/** Gives each request_id another one of its form, the same one each time, so that an acknowledgment still belongs to its callback. */
export class RequestIds {
  readonly #given = new Map<string, string>();

  hide(id: string): string {
    const given = this.#given.get(id) ?? formed(id, this.#given.size);
    this.#given.set(id, given);
    return given;
  }
}

/** Writes a number in letters only: hexadecimal ones where the form has hexadecimal digits, and others where it is no known form. */
function formed(id: string, count: number): string {
  const form = requestIdForm(id);
  const letters = form.endsWith(" characters") ? "ghijklmnopqrstuvwxyz" : "abcdef";
  const places = form === "uuid" ? id.replaceAll(/[^-]/g, "_") : "_".repeat(id.length);
  let left = count;
  const written = Array.from(places.replaceAll("-", ""), () => {
    const letter = letters.charAt(left % letters.length);
    left = Math.floor(left / letters.length);
    return letter;
  }).toReversed();
  return places.replaceAll("_", () => written.shift() ?? "");
}
