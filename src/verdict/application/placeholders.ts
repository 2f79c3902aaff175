export type Values = ReadonlyMap<string, unknown>;

/** A name in braces. `${name}` belongs to a template, and braces around anything but a name are left alone. */
const PLACEHOLDER = /(?<!\$)\{([a-z][a-z0-9_]*)\}/g;

/** A mapping that stands for a number. */
const NUMBER = /^\{"number":"\{(amount|id)\}"\}$/;

/** Replaces the placeholders in a text. One without a value stays unchanged. */
export function fill(text: string, values: Values): string {
  return text.replace(PLACEHOLDER, (written: string, name: string) => {
    const value = values.get(name);
    return value === undefined ? written : textOf(value);
  });
}

/** Fills every string in a JSON value. What is filled stays text, except in { number: "{amount}" } and { number: "{id}" }. */
export function fillJson(value: unknown, values: Values): unknown {
  if (typeof value === "string") return fill(value, values);
  if (Array.isArray(value)) return value.map((entry) => fillJson(entry, values));
  if (typeof value !== "object" || value === null) return value;
  const number = NUMBER.exec(JSON.stringify(value))?.[1];
  if (number !== undefined) return Number(values.get(number));
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [fill(key, values), fillJson(entry, values)]));
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
