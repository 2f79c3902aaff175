import { compile, JSONPathError, type JSONPathQuery, type JSONValue } from "json-p3";

/** A parsed JSONPath query (RFC 9535); nothing in it is evaluated as code. */
export interface JsonPath {
  readonly text: string;
  /** All matches in a JSON value, in order. */
  readonly find: (value: unknown) => readonly unknown[];
}

/** Undefined if the text is not a JSONPath. */
export function parseJsonPath(text: string): JsonPath | undefined {
  const query = compiled(text);
  return query && { text, find: (value) => (isJson(value) ? query.query(value).values() : []) };
}

function compiled(text: string): JSONPathQuery | undefined {
  try {
    return compile(text);
  } catch (error) {
    if (error instanceof JSONPathError) return undefined;
    throw error;
  }
}

function isJson(value: unknown): value is JSONValue {
  return value !== undefined;
}
