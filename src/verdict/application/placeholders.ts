import { isNumber, LosslessNumber } from "lossless-json";

export type Values = ReadonlyMap<string, unknown>;

/** A name in braces. `${name}` belongs to a template, and braces around anything but a name are left alone. */
const PLACEHOLDER = /(?<!\$)\{([a-z][a-z0-9_]*)\}/g;

/** A mapping that stands for a number. */
const NUMBER = /^\{"number":"\{(amount|id)\}"\}$/;

/** A text that stands for a list. */
const NUMBERS = "{phone_numbers}";

/** Writes a value so that whoever reads the place where it stands gets the value. */
type Encode = (text: string) => string;

/** Replaces the placeholders in a text. One without a value stays unchanged. */
export function fill(text: string, values: Values, encode: Encode = (value) => value): string {
  return text.replace(PLACEHOLDER, (written: string, name: string) => {
    const value = values.get(name);
    return value === undefined ? written : encode(Array.isArray(value) ? value.join(",") : textOf(value));
  });
}

/** Fills a URL. What it begins with, the application's address and an id that is a path or nothing of either, is a URL itself. */
export function fillUrl(url: string, values: Values): string {
  const [base = ""] = /^\{app\}(\{id\})?/.exec(url) ?? [];
  const [path = ""] = /^[^?#]*/.exec(url.slice(base.length)) ?? [];
  const query = url.slice(base.length + path.length);
  return fill(base, values) + fill(path, values, encodeSegment) + fill(query, values, encodeText);
}

/** Percent-encodes what would not be read as it is in a query or a form (RFC 3986 §2.1). */
function encodeText(text: string): string {
  return encodeURIComponent(text.replaceAll(LONE_SURROGATE, "\uFFFD"));
}

const LONE_SURROGATE = /\p{Surrogate}/gu;

/** A path segment has more signs of its own than a query: among them the plus sign, which in a query is a space (RFC 3986 §3.3). */
function encodeSegment(text: string): string {
  return encodeText(text).replaceAll(/%(?:2[46BC]|3[ABD]|40)/g, decodeURIComponent);
}

/** Fills a header's value, which has visible ASCII characters and spaces only (RFC 9110 §5.5). */
export function fillHeader(text: string, values: Values): string {
  return fill(text, values, (value) => value.replaceAll(/[^\x20-\x7e]+/g, encodeText));
}

/** Fills a body by its Content-Type. A body of any other type is sent as it is written. */
export function fillBody(text: string, values: Values, contentType: string): string {
  return fill(text, values, BODY_ENCODINGS.find(([type]) => type.test(contentType))?.[1]);
}

const BODY_ENCODINGS: readonly (readonly [type: RegExp, encode: Encode])[] = [
  [/^application\/x-www-form-urlencoded/i, encodeText],
  [/^[^;]*json/i, (text) => JSON.stringify(text).slice(1, -1)],
  [/^[^;]*xml/i, (text) => text.replaceAll(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)],
];

/** Fills a JSONPath, in which a placeholder stands in a string of either quotes (RFC 9535 §2.3.1.1). */
export function fillQuery(text: string, values: Values): string {
  return fill(text, values, (value) =>
    JSON.stringify(value)
      .slice(1, -1)
      .replaceAll('\\"', String.raw`\u0022`)
      .replaceAll("'", String.raw`\u0027`),
  );
}

/**
 * Fills every string in a JSON value. What is filled stays text, except in { number: "{amount}" } and { number: "{id}" }, and the numbers of
 * several recipients are a list.
 */
export function fillJson(value: unknown, values: Values): unknown {
  if (value === NUMBERS) return values.get("phone_numbers") ?? value;
  if (typeof value === "string") return fill(value, values);
  if (Array.isArray(value)) return value.map((entry) => fillJson(entry, values));
  if (typeof value !== "object" || value === null) return value;
  const number = NUMBER.exec(JSON.stringify(value))?.[1];
  if (number !== undefined) return numberOf(values.get(number));
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [fill(key, values), fillJson(entry, values)]));
}

/** Returns a number with all of its digits. An id that is none stays text. */
function numberOf(value: unknown): unknown {
  const isText = typeof value === "string" && isNumber(value);
  return isText ? new LosslessNumber(value) : (value ?? null);
}

/** Returns the placeholder names in a text, or in the strings of a JSON value. */
export function placeholdersIn(value: unknown): string[] {
  if (typeof value === "string") return [...value.matchAll(PLACEHOLDER)].flatMap(([, name]) => name ?? []);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) => [...placeholdersIn(key), ...placeholdersIn(entry)]);
}

/** Formats a value for a URL or a sentence: a string without quotes. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
