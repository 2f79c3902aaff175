/** From a placeholder's name to what stands for it. */
export type Values = ReadonlyMap<string, unknown>;

/**
 * A name in braces; in double braces it is meant as it stands. `${name}` belongs to somebody's shell or template,
 * and braces around anything but a name are just braces.
 */
const PLACEHOLDER = /\{(\{[a-z][a-z0-9_]*\})\}|(?<!\$)\{([a-z][a-z0-9_]*)\}/g;

const ALONE = /^\{([a-z][a-z0-9_]*)\}$/;

/** The text with what its placeholders stand for; one without a value stays as it is. */
export function fill(text: string, values: Values): string {
  return text.replace(PLACEHOLDER, (written: string, literal: string | undefined, name: string | undefined) => {
    if (literal !== undefined) return literal;
    const value = name === undefined ? undefined : values.get(name);
    return value === undefined ? written : textOf(value);
  });
}

/** Fills every text of a JSON value; a text that is one placeholder and nothing else becomes the value itself. */
export function fillJson(value: unknown, values: Values): unknown {
  if (typeof value === "string") return fillWhole(value, values);
  if (Array.isArray(value)) return value.map((entry) => fillJson(entry, values));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [fill(key, values), fillJson(entry, values)]));
}

/** The names that a text, or the texts of a JSON value, ask for. */
export function placeholdersIn(value: unknown): string[] {
  if (typeof value === "string") return [...value.matchAll(PLACEHOLDER)].flatMap(([, , name]) => name ?? []);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) => [...placeholdersIn(key), ...placeholdersIn(entry)]);
}

function fillWhole(text: string, values: Values): unknown {
  const name = ALONE.exec(text)?.[1];
  const value = name === undefined ? undefined : values.get(name);
  return value === undefined ? fill(text, values) : value;
}

/** As it would stand in a URL or a sentence: a text without its quotes. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
