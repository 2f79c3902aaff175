import { compile, JSONPathError, type JSONPathQuery, type JSONValue } from "json-p3";
import { readText } from "../../gateway/document/values.ts";
import { cents, type Kes, parseKes } from "../../gateway/domain/kes.ts";

/** A compiled JSONPath query (RFC 9535). Nothing in it is evaluated as code. */
export interface JsonPath {
  readonly text: string;
  /** Returns all matches in a JSON value, in order. */
  readonly find: (value: unknown) => readonly unknown[];
}

export const jsonPathValue = readText(parseJsonPath, {
  what: "a JSONPath (RFC 9535)",
  repair: 'write one that begins with $, like $.status or $.items[?@.id == "7"]',
});

/** Compiles a JSONPath; returns undefined if the text is not one. */
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

/**
 * Parses an amount from an application's answer; it may be negative. Numbers are read in their shortest form, so 0.1 + 0.2 is not an
 * amount.
 */
export function readAmount(value: unknown): Kes | undefined {
  if (typeof value !== "string" && typeof value !== "number") return undefined;
  const text = String(value);
  const amount = parseKes(text.replace(/^-/, ""));
  return amount === undefined || !text.startsWith("-") ? amount : cents(-amount);
}
