import { closestWord } from "./closest-word.ts";
import { describeValue } from "./describe-value.ts";
import type { Path } from "./problem.ts";
import * as z from "zod";

/** A mistake at a path, in words, and where to point: at the key, at its value, or at the mapping that lacks the key. */
export interface Explanation {
  readonly path: Path;
  readonly spot: "key" | "value" | "parent";
  readonly problem: string;
  readonly repair: string;
}

/** A longer list of known keys would not help the reader. */
const LONGEST_LIST = 12;

type Issue = z.core.$ZodIssue;

/** The schema, and the path that issue paths are relative to. */
interface Context {
  readonly schema: z.ZodType;
  readonly base: Path;
}

/** How to parse a document once: issues name the value, and compiling code for each mapping would cost more than it saves. */
export const PARSE_ONCE = { reportInput: true, jitless: true } as const;

/** The most mistakes that are explained; more of them usually have one cause. */
export const MAX_MISTAKES = 50;

/** Turns a schema's first issues into sentences. The values must have been parsed with `reportInput`. */
export function explainIssues(issues: readonly Issue[], schema: z.ZodType): Explanation[] {
  return explainFirst(issues, { schema, base: [] });
}

function explainFirst(issues: readonly Issue[], context: Context): Explanation[] {
  return issues
    .slice(0, MAX_MISTAKES)
    .flatMap((issue) => explain(issue, context))
    .slice(0, MAX_MISTAKES);
}

function explain(issue: Issue, context: Context): Explanation[] {
  const path = pathOf(issue, context.base);
  if (issue.code === "unrecognized_keys") return explainUnknownKeys(issue, path, context.schema);
  if (issue.code === "invalid_union") return explainUnion(issue, { ...context, base: path });
  if (issue.code === "invalid_key") return issue.issues.map((inner) => ({ path, spot: "key", ...sentence(inner) }));
  if (isMissing(issue)) return [explainMissing(path)];
  if (issue.input === null) return [explainEmpty(path)];
  return [{ path, spot: "value", ...sentence(issue) }];
}

export function pathOf(issue: Issue, base: Path): Path {
  return [...base, ...issue.path.map((step) => (typeof step === "number" ? step : String(step)))];
}

function isMissing({ code, input }: Issue): boolean {
  return input === undefined && code !== "custom" && code !== "unrecognized_keys";
}

function explainUnknownKeys(issue: z.core.$ZodIssueUnrecognizedKeys, parent: Path, schema: z.ZodType): Explanation[] {
  const known = knownKeys(schema, parent);
  return issue.keys.slice(0, MAX_MISTAKES).map((key) => ({
    path: [...parent, key],
    spot: "key",
    problem: "is not a key",
    // The colon of `refuse:500` needs a space.
    repair: suggest(closestWord(key.split(":")[0] ?? key, known), known),
  }));
}

/** Lists the keys that a schema knows at a path; for a union, those of all branches. */
function knownKeys(schema: unknown, path: Path): string[] {
  const [step, ...rest] = path;
  const here = branches(schema);
  if (step !== undefined)
    return here.flatMap((branch) => childrenAt(branch, step)).flatMap((child) => knownKeys(child, rest));
  return here.flatMap((branch) => (branch instanceof z.ZodObject ? Object.keys(branch.shape) : []));
}

function childrenAt(schema: unknown, step: string | number): unknown[] {
  if (schema instanceof z.ZodObject) return [schema.shape[step]];
  if (schema instanceof z.ZodArray) return [schema.element];
  return schema instanceof z.ZodRecord ? [schema.valueType] : [];
}

/** Unwraps a schema, and a union into its branches. */
function branches(schema: unknown): unknown[] {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodExactOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodLazy
  )
    return branches(schema.unwrap());
  if (schema instanceof z.ZodPipe) return branches(schema.in);
  return schema instanceof z.ZodUnion ? schema.options.flatMap(branches) : [schema];
}

function suggest(meant: string | undefined, known: readonly string[]): string {
  if (meant !== undefined) return `did you mean "${meant}"?`;
  return known.length === 0 || known.length > LONGEST_LIST ? "remove it" : `the keys here are ${known.join(", ")}`;
}

function explainMissing(path: Path): Explanation {
  return { path, spot: "parent", problem: "is missing", repair: `add ${path.at(-1)}` };
}

function explainEmpty(path: Path): Explanation {
  return { path, spot: "value", problem: "has no value", repair: "give it one or remove the key" };
}

/** Explains a failed union by the branch that was most likely meant, or lists what the branches accept if none is likely. */
function explainUnion(issue: z.core.$ZodIssueInvalidUnion, context: Context): Explanation[] {
  if (issue.input === undefined) return [explainMissing(context.base)];
  const likely = issue.errors
    .filter((issues) => !issues.some(isOfWrongKind))
    .toSorted((left, right) => countMisfits(left) - countMisfits(right) || left.length - right.length)[0];
  if (likely !== undefined) return explainFirst(likely, context);
  if (issue.input === null) return [explainEmpty(context.base)];
  const expected = [...new Set(issue.errors.flat().flatMap(kindsOf))].join(" or ");
  const problem = `${describeValue(issue.input)} is not ${expected}`;
  return [{ path: context.base, spot: "value", problem, repair: repairKind(issue.input, expected) }];
}

/** Counts the issues with a mapping or list in place of a fixed word. */
function countMisfits(issues: readonly Issue[]): number {
  return issues.filter(
    ({ code, input, path }) => code === "invalid_value" && typeof input === "object" && path.length === 0,
  ).length;
}

function isOfWrongKind(issue: Issue): boolean {
  return kindsOf(issue).length > 0;
}

/** Returns the kinds of value that are accepted, if the value is of another kind. */
function kindsOf(issue: Issue): string[] {
  if (issue.path.length > 0) return [];
  if (issue.code === "invalid_type") return [kindName(issue.expected)];
  if (issue.code !== "invalid_union" || !issue.errors.every((issues) => issues.some(isOfWrongKind))) return [];
  return issue.errors.flat().flatMap(kindsOf);
}

function sentence(issue: Issue): { problem: string; repair: string } {
  const value = describeValue(issue.input);
  switch (issue.code) {
    case "invalid_type":
      return sayWrongKind(issue);
    case "invalid_value":
      return sayNoneOf(issue);
    case "too_small":
      return {
        problem: `${value} is too small`,
        repair: `write ${issue.inclusive === false ? "more than" : "at least"} ${issue.minimum}`,
      };
    case "too_big":
      return {
        problem: `${value} is too large`,
        repair: `write ${issue.inclusive === false ? "less than" : "at most"} ${issue.maximum}`,
      };
    case "custom":
      return { problem: issue.message, repair: String(issue.params?.["repair"] ?? "change it") };
    default:
      return { problem: `${value} does not fit (${issue.message})`, repair: "change it" };
  }
}

function sayWrongKind(issue: z.core.$ZodIssueInvalidType): { problem: string; repair: string } {
  const expected = kindName(issue.expected);
  return { problem: `${describeValue(issue.input)} is not ${expected}`, repair: repairKind(issue.input, expected) };
}

function repairKind(input: unknown, expected: string): string {
  if (typeof input !== "string") return `write ${expected}`;
  const isNumber = /number/.test(expected) && /^-?\d+(\.\d+)?$/.test(input);
  const isTruth = /true or false/.test(expected) && /^(true|false)$/.test(input);
  return isNumber || isTruth ? `write ${input} without quotes` : `write ${expected}`;
}

function sayNoneOf(issue: z.core.$ZodIssueInvalidValue): { problem: string; repair: string } {
  const values = issue.values.map(String);
  const problem = `${describeValue(issue.input)} is not known here`;
  if (issue.values.some((value) => typeof value !== "string" && String(value) === issue.input))
    return { problem, repair: `write ${String(issue.input)} without quotes` };
  const meant = typeof issue.input === "string" ? closestWord(issue.input, values) : undefined;
  if (meant !== undefined) return { problem, repair: `did you mean "${meant}"?` };
  return { problem, repair: values.length === 1 ? `write ${values.join()}` : `write one of ${values.join(", ")}` };
}

function kindName(expected: string): string {
  const names: Readonly<Record<string, string>> = {
    string: "text",
    number: "a number",
    int: "a whole number",
    boolean: "true or false",
    object: "a mapping",
    record: "a mapping",
    array: "a list",
    tuple: "a list",
  };
  return names[expected] ?? expected;
}
