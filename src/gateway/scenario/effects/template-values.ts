import { closestWord } from "../../document/closest-word.ts";
import { MAX_MISTAKES } from "../../document/explain-issues.ts";
import { checkedHeaders, checkedText, type ValueProblem } from "../../document/values.ts";
import { PLACEHOLDER } from "../../domain/fill-placeholders.ts";
import { findWrongHeader } from "../../domain/headers.ts";

/** The placeholders in a response to a request. */
export const REQUEST_PLACEHOLDERS = ["request_id", "phone_number", "amount", "sender_id"] as const;

/** The placeholders in a callback. */
export const CALLBACK_PLACEHOLDERS = [
  ...REQUEST_PLACEHOLDERS,
  "result_code",
  "result_desc",
  "charge",
  "account_balance",
] as const;

/** Text with placeholders for parts of the request: {{request_id}}. */
export function templateValue(names: readonly string[]) {
  return checkedText((text) => findUnknown(text, names));
}

function findUnknown(text: string, names: readonly string[]): ValueProblem[] {
  const unknown = Array.from(text.matchAll(PLACEHOLDER), ([, name = ""]) => name).filter(
    (name) => !names.includes(name),
  );
  return [...new Set(unknown)].slice(0, MAX_MISTAKES).map((name) => {
    const meant = closestWord(name, names);
    const repair =
      meant === undefined
        ? `write one of ${names.map((known) => `{{${known}}}`).join(", ")}`
        : `did you mean {{${meant}}}?`;
    return { problem: `{{${name}}} is not known here`, repair };
  });
}

/** Headers of a response, which may close its connection. */
export const responseHeaders = checkedHeaders((name, value) =>
  name.toLowerCase() === "connection" && value.toLowerCase() === "close" ? [] : findWrongHeader(name, value),
);

/** A Content-Type value. */
export const contentTypeValue = checkedText((text) =>
  /^[\x21-\x7e][\x20-\x7e]{0,199}$/.test(text)
    ? []
    : [{ problem: "is not a content type", repair: "write one like text/html; charset=utf-8" }],
);
