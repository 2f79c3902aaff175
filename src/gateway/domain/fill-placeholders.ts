/** A placeholder in a scripted text: {{request_id}}. */
export const PLACEHOLDER = /\{\{\s*(\w+)\s*\}\}/g;

/** Replaces placeholders by their values, escaped as in a JSON string. An unknown placeholder becomes empty. */
export function fillPlaceholders(text: string, values: Readonly<Record<string, string | number | undefined>>): string {
  return text.replace(PLACEHOLDER, (_, name: string) => JSON.stringify(String(values[name] ?? "")).slice(1, -1));
}

/** Returns a rule's response headers with lower-case names, so that they can be merged. */
export function scriptedHeaders({
  headers = {},
  content_type: contentType,
}: {
  readonly headers?: Readonly<Record<string, string>>;
  readonly content_type?: string;
}): Record<string, string> {
  const lower = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { ...Object.fromEntries(lower), ...(contentType !== undefined && { "content-type": contentType }) };
}
