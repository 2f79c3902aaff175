import { closestWord } from "../document/closest-word.ts";
import type { Complaint } from "../document/values.ts";
import type { AccountUnderTest, DriveStep, Expectation, Rehearsal } from "./rehearsal.ts";

/** The value of each placeholder. */
export type Values = ReadonlyMap<string, unknown>;

/**
 * A name in braces. Double braces stand for the braces themselves, `${name}` belongs to a shell or template, and braces
 * around anything but a name are left alone.
 */
const PLACEHOLDER = /\{(\{[a-z][a-z0-9_]*\})\}|(?<!\$)\{([a-z][a-z0-9_]*)\}/g;

const ALONE = /^\{([a-z][a-z0-9_]*)\}$/;

/** Replaces the placeholders of a text; one without a value stays as it is. */
export function fill(text: string, values: Values): string {
  return text.replace(PLACEHOLDER, (written: string, literal: string | undefined, name: string | undefined) => {
    if (literal !== undefined) return literal;
    const value = name === undefined ? undefined : values.get(name);
    return value === undefined ? written : textOf(value);
  });
}

/** Fills every text of a JSON value; a text that is exactly one placeholder becomes the value itself. */
export function fillJson(value: unknown, values: Values): unknown {
  if (typeof value === "string") return fillWhole(value, values);
  if (Array.isArray(value)) return value.map((entry) => fillJson(entry, values));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, entry]) => [fill(key, values), fillJson(entry, values)]));
}

/** The placeholder names in a text, or in the texts of a JSON value. */
export function placeholdersIn(value: unknown): string[] {
  if (typeof value === "string") return [...value.matchAll(PLACEHOLDER)].flatMap(([, , name]) => name ?? []);
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, entry]) => [...placeholdersIn(key), ...placeholdersIn(entry)]);
}

function fillWhole(text: string, values: Values): unknown {
  const name = ALONE.exec(text)?.[1];
  const value = name === undefined ? undefined : values.get(name);
  return value === undefined ? fill(text, values) : value;
}

/** As it appears in a URL or a sentence: a string without quotes. */
function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}

/** Whether a rehearsal uses a placeholder anywhere. */
export function usesPlaceholder({ account, drive, expect }: Rehearsal, name: string): boolean {
  return placeholdersIn([account, drive, expect]).includes(name);
}

/** Available in every file: the two addresses, and a word that differs in each run. */
const GIVEN = ["app", "sandbox", "run"] as const;

/** Counts the repetitions of a step. */
export const COUNTER = "n";

interface PlaceholderUses {
  readonly account?: AccountUnderTest;
  readonly drive?: readonly DriveStep[];
  readonly expect: readonly Expectation[];
}

/** Problems with placeholders that no earlier step captures. */
export function unknownPlaceholders({ account, drive = [], expect }: PlaceholderUses): Complaint[] {
  const known: string[] = [...GIVEN];
  const inSteps = drive.flatMap((step, index) => {
    const found = search(step, [...known, COUNTER], ["drive", index]);
    if (step.kind === "request") known.push(...Object.keys(step.capture));
    return found;
  });
  const inChecks = expect.flatMap((check, index) => search(check, isAskedFirst(check) ? GIVEN : known, ["expect", index]));
  return [...search(account?.callbacks, GIVEN, ["account", "callbacks"]), ...inSteps, ...inChecks];
}

/** A probe of a change also asks before the first step, when nothing is captured. */
function isAskedFirst(check: Expectation): boolean {
  return check.kind === "probe" && check.wanted.is === "changed";
}

function search(where: unknown, known: readonly string[], path: (string | number)[]): Complaint[] {
  const names = new Set(placeholdersIn(textsOf(where)).filter((name) => !known.includes(name)));
  return [...names].map((name) => {
    const meant = closestWord(name, known);
    const repair =
      meant === undefined ? `capture it in an earlier request, or write {{${name}}} for the braces themselves` : `did you mean {${meant}}?`;
    return { path, problem: `no earlier step captures {${name}}`, repair };
  });
}

/** Braces in a command belong to its shell. */
function textsOf(value: unknown): unknown {
  if (typeof value === "string" || typeof value !== "object" || value === null) return value;
  return Object.entries(value)
    .filter(([key, entry]) => key !== "command" && typeof entry !== "function")
    .map(([key, entry]) => [key, textsOf(entry)]);
}
