/**
 * Returns the fields of a body that is a JSON object; undefined for anything else. A byte order mark is ignored, as RFC 8259, section 8.1
 * allows, and as fetch and Python do.
 */
export function readObject(body: string): Readonly<Record<string, unknown>> | undefined {
  let read: unknown;
  try {
    read = JSON.parse(body.replace(/^\uFEFF/, ""));
  } catch {
    return undefined;
  }
  return isObject(read) ? read : undefined;
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
