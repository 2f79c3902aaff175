/** The values of placeholders. */
export type Values = ReadonlyMap<string, unknown>;

/** A name in braces. `${name}` belongs to a template, and braces around anything but a name are left alone. */
const PLACEHOLDER = /(?<!\$)\{([a-z][a-z0-9_]*)\}/g;

const ALONE = /^\{([a-z][a-z0-9_]*)\}$/;

/** Replaces the placeholders in a text. One without a value stays unchanged. */
export function fill(text: string, values: Values): string {
  return text.replace(PLACEHOLDER, (written: string, name: string) => {
    const value = values.get(name);
    return value === undefined ? written : textOf(value);
  });
}

/** Fills every string in a JSON value. A string that is exactly one placeholder becomes the value itself. */
export function fillJson(value: unknown, values: Values): unknown {
  if (typeof value === "string") return fillWhole(value, values);
  if (Array.isArray(value)) return value.map((entry) => fillJson(entry, values));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [fill(key, values), fillJson(entry, values)]));
}

/** Returns the placeholder names in a text, or in the strings of a JSON value. */
export function placeholdersIn(value: unknown): string[] {
  if (typeof value === "string") return [...value.matchAll(PLACEHOLDER)].flatMap(([, name]) => name ?? []);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) => [...placeholdersIn(key), ...placeholdersIn(entry)]);
}

function fillWhole(text: string, values: Values): unknown {
  const name = ALONE.exec(text)?.[1];
  const value = name === undefined ? undefined : values.get(name);
  return value === undefined ? fill(text, values) : value;
}

/** Formats a value for a URL or a sentence: a string without quotes. */
export function textOf(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
