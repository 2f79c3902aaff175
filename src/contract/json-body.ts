import { findJsonExcess } from "../document/nesting.ts";
import { Refused } from "../domain/refusal.ts";

/** The unchecked fields of a JSON object. */
export type Fields = Readonly<Record<string, unknown>>;

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Parses a request body. Throws `Refused` 400 if it is not UTF-8 or not a JSON object. */
export function readJsonObject(body: Uint8Array): Fields {
  const value = parse(decode(body));
  if (isFields(value)) return value;
  throw new Refused(400, { hint: "the body must be a JSON object" });
}

function decode(body: Uint8Array): string {
  try {
    return decoder.decode(body);
  } catch {
    throw new Refused(400, { hint: "the body is not valid UTF-8" });
  }
}

function parse(text: string): unknown {
  const excess = findJsonExcess(text);
  if (excess !== undefined) throw new Refused(400, { hint: excess.problem });
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Refused(400, {
      hint: text.trim() === "" ? "the body is empty" : `the body is not JSON: ${complaint(cause)}`,
    });
  }
}

/** Returns the parser's message without the part of the body that it quotes: hints are logged, and logs never contain message texts. */
function complaint(cause: unknown): string {
  return cause instanceof Error ? cause.message.replace(/, (?:\.\.\.)?".*$/s, "") : String(cause);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
