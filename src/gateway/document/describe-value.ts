/** Longer texts are cut, because the message already gives their position. */
const LONGEST_QUOTE = 60;

/** Describes a value for an error message. */
export function describeValue(value: unknown): string {
  if (typeof value === "string") return quoteText(value);
  if (Array.isArray(value)) return "a list";
  return typeof value === "object" && value !== null ? "a mapping" : String(value);
}

export function quoteText(text: string): string {
  return JSON.stringify(text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE)}…` : text);
}
