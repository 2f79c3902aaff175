import * as z from "zod";
import { closestWord } from "../document/closest-word.ts";
import { MOST_MISTAKES } from "../document/explain-issues.ts";
import { complain, textWithout, type ValueProblem } from "../document/values.ts";
import { PLACEHOLDER } from "../domain/fill-placeholders.ts";

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
  return textWithout((text) => findUnknown(text, names));
}

function findUnknown(text: string, names: readonly string[]): ValueProblem[] {
  const unknown = Array.from(text.matchAll(PLACEHOLDER), ([, name = ""]) => name).filter(
    (name) => !names.includes(name),
  );
  return [...new Set(unknown)].slice(0, MOST_MISTAKES).map((name) => {
    const meant = closestWord(name, names);
    const repair =
      meant === undefined
        ? `write one of ${names.map((known) => `{{${known}}}`).join(", ")}`
        : `did you mean {{${meant}}}?`;
    return { problem: `{{${name}}} is not known here`, repair };
  });
}

/** Headers that frame a message or concern one connection (RFC 9110 section 7.6.1). Node or undici writes them, or refuses to. */
const FRAMING = [
  "connection",
  "content-length",
  "expect",
  "keep-alive",
  "proxy-connection",
  "te",
  "trailer",
  "transfer-encoding",
  "upgrade",
];

/** Headers of a response or a callback, by name. */
export const headersValue = z.lazy(() =>
  z.record(z.string(), z.string()).superRefine((headers, context) => {
    for (const [name, value] of Object.entries(headers))
      for (const complaint of findWrongHeader(name, value)) complain(context, { path: [name], ...complaint });
  }),
);

function findWrongHeader(name: string, value: string): ValueProblem[] {
  if (!/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(name))
    return [{ problem: "is not a header's name", repair: "write a name such as Retry-After" }];
  if (name.toLowerCase() === "content-type")
    return [{ problem: "has its own key", repair: "write content_type next to headers" }];
  if (name.toLowerCase() === "connection" && value.toLowerCase() === "close") return [];
  if (FRAMING.includes(name.toLowerCase()))
    return [{ problem: "is written by the sandbox itself", repair: "remove it" }];
  return /^[\t\x20-\x7e]*$/.test(value)
    ? []
    : [{ problem: "has characters that are not allowed in a header", repair: "write printable ASCII on one line" }];
}

/** A Content-Type value. */
export const contentTypeValue = textWithout((text) =>
  /^[\x21-\x7e][\x20-\x7e]{0,199}$/.test(text)
    ? []
    : [{ problem: "is not a content type", repair: "write one like text/html; charset=utf-8" }],
);
