import { quote } from "../../document/describe-value.ts";
import type { Ask } from "../../domain/directive.ts";
import type { When } from "../../domain/scenario.ts";
import { printOneOrMore } from "../say-values.ts";
import { compileGlobs } from "./globs.ts";
import { type Matcher, sayDifference, sayList } from "./matcher.ts";

export const OPERATIONS = ["airtime", "sms", "account-details"] as const;

/** What a rule is about that names no operation (DESIGN.md section 6). */
export const ORDERS: readonly (typeof OPERATIONS)[number][] = ["airtime", "sms"];

export const operation: Matcher<NonNullable<When["operation"]>> = {
  key: "operation",
  print: printOneOrMore,
  compile:
    (operations) =>
    ({ subject }) =>
      operations.includes(subject.operation),
  difference: (operations, { subject }) => sayDifference("operation", subject.operation, sayList(operations)),
};

type Patterns = NonNullable<When["header"]>;

export const header: Matcher<Patterns> = {
  key: "header",
  print: (patterns) => patterns,
  compile: (patterns) => {
    const tests = Object.entries(patterns).map(([name, pattern]) => ({ name, matches: compileGlobs([pattern]) }));
    return (ask) => tests.every(({ name, matches }) => passes(ask.header(name), matches));
  },
  difference: (patterns, ask) => {
    const [name, pattern] = findUnlike(patterns, ask);
    const value = ask.header(name);
    return `header ${name} is ${sayHeader(name, value)}, not ${pattern}`;
  },
};

/** Secrets are written down nowhere. */
const SECRET = ["authorization", "proxy-authorization", "cookie"];

function sayHeader(name: string, value: string | undefined): string {
  if (value === undefined) return "missing";
  return SECRET.includes(name) ? "another" : quote(value);
}

function findUnlike(patterns: Patterns, ask: Ask): readonly [name: string, pattern: string] {
  return Object.entries(patterns).find(([name, pattern]) => !passes(ask.header(name), compileGlobs([pattern]))) ?? ["", ""];
}

function passes(value: string | undefined, matches: (text: string) => boolean): boolean {
  return value !== undefined && matches(value);
}
