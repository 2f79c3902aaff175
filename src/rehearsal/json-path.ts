import { compile, JSONPathError, type JSONPathQuery, type JSONValue } from "json-p3";

/** A query as RFC 9535 has it, checked; nothing in it is ever evaluated as code. */
export interface JsonPath {
  readonly text: string;
  /** All that is found in a JSON value, in its order. */
  readonly find: (value: unknown) => readonly unknown[];
}

/** Undefined for a text that is none. */
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
