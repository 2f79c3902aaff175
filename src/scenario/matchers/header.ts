import * as z from "zod";
import { quote } from "../../document/describe-value.ts";
import { keyThat } from "../../document/values.ts";
import type { RuleRequest } from "../rule-request.ts";
import { compileGlobs } from "./globs.ts";
import type { Matcher } from "./matcher.ts";

/** Patterns by lower-case header name. */
type Patterns = Readonly<Record<string, string>>;

/** The characters allowed in a field name (RFC 9110 §5.1). */
const headerName = keyThat((text) => /^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/.test(text), {
  what: "a header's name",
  repair: "write a name such as X-Request-Source",
});

export const header: Matcher<"header", Patterns> = {
  key: "header",
  summary:
    'Request headers: from name to pattern, { User-Agent: "okhttp*" }; "*" matches any value, but the header must be present.',
  schema: z.lazy(() =>
    z
      .record(headerName, z.string())
      .refine((patterns) => Object.keys(patterns).length > 0, {
        error: "is empty",
        params: { repair: "name a header, or remove it" },
      })
      .transform((patterns) =>
        Object.fromEntries(Object.entries(patterns).map(([name, pattern]) => [name.toLowerCase(), pattern])),
      ),
  ),
  print: (patterns) => patterns,
  compile: (patterns) => {
    const tests = Object.entries(patterns).map(([name, pattern]) => ({ name, matches: compileGlobs([pattern]) }));
    return (request) => tests.every(({ name, matches }) => passes(request.header(name), matches));
  },
  difference: (patterns, request) => {
    const [name, pattern] = findUnlike(patterns, request);
    return `header ${name} is ${describeHeader(name, request.header(name))}, not ${pattern}`;
  },
};

/** Secret values must never be recorded. */
const SECRET = ["authorization", "proxy-authorization", "cookie"];

function describeHeader(name: string, value: string | undefined): string {
  if (value === undefined) return "missing";
  return SECRET.includes(name) ? "another" : quote(value);
}

function findUnlike(patterns: Patterns, request: RuleRequest): readonly [name: string, pattern: string] {
  return (
    Object.entries(patterns).find(([name, pattern]) => !passes(request.header(name), compileGlobs([pattern]))) ?? [
      "",
      "",
    ]
  );
}

function passes(value: string | undefined, matches: (text: string) => boolean): boolean {
  return value !== undefined && matches(value);
}
