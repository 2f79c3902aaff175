import { compile, JSONPathError, JSONPathQuery, type JSONValue } from "json-p3";
import { readText } from "../../gateway/document/values.ts";
import { fillQuery, type Values } from "./placeholders.ts";
import { addKes, cents, type Kes, NO_MONEY, parseKes, subtractKes } from "../../gateway/domain/kes.ts";

/** A compiled JSONPath query (RFC 9535). Nothing in it is evaluated as code. */
export interface JsonPath {
  readonly text: string;
  readonly find: (value: unknown) => readonly unknown[];
  /** Finds the nearest that is there of what the path goes through: of $.charges[*] the list, or the whole answer. */
  readonly findAbove: (value: unknown) => readonly unknown[];
}

export const jsonPathValue = readText(parseJsonPath, {
  what: "a JSONPath (RFC 9535)",
  repair: 'write one that begins with $, like $.status or $.items[?@.id == "7"]',
});

/** Fills the placeholders in a path as the text of JSON strings: $[?@.phone == "{phone_number}"]. */
export function fillPath({ text }: JsonPath, values: Values): JsonPath {
  return parseJsonPath(fillQuery(text, values)) ?? { text, find: () => [], findAbove: () => [] };
}

export function parseJsonPath(text: string): JsonPath | undefined {
  try {
    const query = compile(text);
    const above = query.segments.map((_, at) => new JSONPathQuery(query.environment, query.segments.slice(0, at)));
    const find = (value: unknown, one = query): readonly unknown[] => (isJson(value) ? one.query(value).values() : []);
    const findAbove = (value: unknown): readonly unknown[] => {
      const found = above.map((one) => find(value, one)).filter((values) => values.length > 0);
      return found.at(-1) ?? [];
    };
    return { text, find: (value) => find(value), findAbove };
  } catch (error) {
    if (error instanceof JSONPathError) return undefined;
    throw error;
  }
}

function isJson(value: unknown): value is JSONValue {
  return value !== undefined;
}

/** An amount with the noise that binary fractions leave: 943.9499999999999, or 0.1 + 0.2. No two differ by more than `Kes` can hold. */
const AMOUNT = /^(-?)(\d{1,12})(?:\.(\d{1,2})(\d*))?$/;

/** Parses an amount from an application's answer; it may be negative. What is less than half a cent is noise. */
export function readAmount(value: unknown): Kes | undefined {
  const [, sign, shillings, decimals = "0", noise = ""] = AMOUNT.exec(writeOut(value)) ?? [];
  const amount = parseKes(`${shillings}.${decimals}`);
  const rest = Number(`0.${noise}`);
  if (amount === undefined || rest === 0.5) return undefined;
  const nearest = rest > 0.5 ? addKes(amount, cents(1)) : amount;
  return sign === "-" ? subtractKes(NO_MONEY, nearest) : nearest;
}

/** Returns the digits of a text or a number. One so small that its shortest form has an exponent is all noise. */
function writeOut(value: unknown): string {
  if (typeof value === "number" && String(value).includes("e-")) return value.toFixed(SMALLEST_DECIMALS);
  return typeof value === "number" || typeof value === "string" ? String(value) : "";
}

/** A number has an exponent in its shortest form below 1e-6 (ECMA-262, Number::toString). */
const SMALLEST_DECIMALS = 7;
