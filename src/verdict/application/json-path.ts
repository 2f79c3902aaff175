import { compile, JSONPathError, type JSONValue } from "json-p3";
import { readText } from "../../gateway/document/values.ts";
import { fillQuery, type Values } from "./placeholders.ts";
import { cents, type Kes, parseKes } from "../../gateway/domain/kes.ts";

/** A compiled JSONPath query (RFC 9535). Nothing in it is evaluated as code. */
export interface JsonPath {
  readonly text: string;
  readonly find: (value: unknown) => readonly unknown[];
}

export const jsonPathValue = readText(parseJsonPath, {
  what: "a JSONPath (RFC 9535)",
  repair: 'write one that begins with $, like $.status or $.items[?@.id == "7"]',
});

/** Fills the placeholders in a path as the text of JSON strings: $[?@.phone == "{phone_number}"]. */
export function fillPath({ text }: JsonPath, values: Values): JsonPath {
  return parseJsonPath(fillQuery(text, values)) ?? { text, find: () => [] };
}

export function parseJsonPath(text: string): JsonPath | undefined {
  try {
    const query = compile(text);
    return { text, find: (value) => (isJson(value) ? query.query(value).values() : []) };
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
