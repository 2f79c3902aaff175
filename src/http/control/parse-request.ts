import type * as z from "zod";
import { explainIssues } from "../../document/explain-issues.ts";
import { parseDocument } from "../../document/parse-document.ts";
import { formatPath } from "../../document/problem.ts";
import { HttpProblem, type Mistake } from "../problem.ts";

/** A body as it came, with its text: JSON that was parsed, YAML that was not yet. */
export type ControlBody =
  | { readonly kind: "json"; readonly value: unknown; readonly text: string }
  | { readonly kind: "yaml"; readonly text: string };

/** Mistakes that an answer lists; more than these have one cause. */
const MOST_PROBLEMS = 50;

/** An empty body says the same as an empty mapping. */
export const NO_BODY: ControlBody = { kind: "json", value: {}, text: "" };

/** Checks a body against its schema. Throws an `HttpProblem` 422 with all mistakes at once. */
export function parseBody<Schema extends z.ZodType>(body: ControlBody, schema: Schema): z.output<Schema> {
  if (body.kind === "json") return parseValue(body.value, schema, "body");
  const parsed = parseDocument(body.text, schema, { file: "body" });
  if ("value" in parsed) return parsed.value;
  throw refusal(
    parsed.problems.map(({ line, column, path, ...mistake }) => ({ ...mistake, path: path === "" ? `${line}:${column}` : path })),
  );
}

/** Checks the query's parameters against their schema. Throws an `HttpProblem` 422. */
export function parseQuery<Schema extends z.ZodType>(query: Readonly<Record<string, string>>, schema: Schema): z.output<Schema> {
  return parseValue(query, schema, "query");
}

function parseValue<Schema extends z.ZodType>(value: unknown, schema: Schema, whole: string): z.output<Schema> {
  const checked = schema.safeParse(value, { reportInput: true });
  if (checked.success) return checked.data;
  throw refusal(
    explainIssues(checked.error.issues, schema).map(({ path, problem, repair }) => ({ path: formatPath(path) || whole, problem, repair })),
  );
}

function refusal(mistakes: readonly Mistake[]): HttpProblem {
  const problems = mistakes.slice(0, MOST_PROBLEMS).map(({ path, problem, repair }) => ({ path, problem, repair }));
  const [first = { path: "body", problem: "does not fit", repair: "change it" }] = problems;
  const more = mistakes.length > 1 ? ` (and ${mistakes.length - 1} more)` : "";
  return new HttpProblem(422, [`${first.path}: ${first.problem}${more}`, first.repair], { problems });
}
