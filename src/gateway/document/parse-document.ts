import type * as z from "zod";
import { explainIssues, PARSE_ONCE, pathOf } from "./explain-issues.ts";
import { formatPath, type Path, type Problem } from "./problem.ts";
import { findSyntaxProblems } from "./syntax-problems.ts";
import { locate, readAsText, readYaml, type YamlSource } from "./yaml-source.ts";

export type ParsedDocument<Value> = { readonly value: Value } | { readonly problems: readonly Problem[] };

/**
 * Parses YAML or JSON text and checks it against a schema. Returns all mistakes at once, in text order. An empty text counts as an empty
 * mapping. A plain number where the schema expects a string is read as the text that was written.
 */
export function parseDocument<Schema extends z.ZodType>(
  text: string,
  schema: Schema,
  file: string,
): ParsedDocument<z.output<Schema>> {
  const parsed = parseSource(readYaml(text), schema, file);
  return "problems" in parsed ? parsed : { value: parsed.value };
}

/** Does the same for text already read as YAML. `written` is the value before the schema parses it, with such numbers as text. */
export function parseSource<Schema extends z.ZodType>(
  source: YamlSource,
  schema: Schema,
  file: string,
): { readonly value: z.output<Schema>; readonly written: z.input<Schema> } | { readonly problems: readonly Problem[] } {
  const syntax = findSyntaxProblems(source);
  const spelling = syntax.map(({ position, problem, repair }) => ({ file, ...position, path: "", problem, repair }));
  if (syntax.some(({ fatal }) => fatal)) return { problems: inOrder(spelling) };
  const { checked, written } = check(schema, source);
  if (checked.success && isInput<Schema>(written, checked) && spelling.length === 0)
    return { value: checked.data, written };
  const explained = checked.success ? [] : explainIssues(checked.error.issues, schema);
  const mistakes = explained.map((wrong) => ({
    file,
    ...locate(source, wrong),
    path: formatPath(wrong.path),
    problem: wrong.problem,
    repair: wrong.repair,
  }));
  return { problems: inOrder([...spelling, ...mistakes]) };
}

/** A value that the schema has accepted is one of its inputs. */
function isInput<Schema extends z.ZodType>(
  _written: unknown,
  { success }: z.ZodSafeParseResult<z.output<Schema>>,
): _written is z.input<Schema> {
  return success;
}

/** Sorts problems by their position in the text. */
function inOrder(problems: readonly Problem[]): Problem[] {
  return problems.toSorted((left, right) => left.line - right.line || left.column - right.column);
}

function check<Schema extends z.ZodType>(
  schema: Schema,
  source: YamlSource,
): { written: unknown; checked: z.ZodSafeParseResult<z.output<Schema>> } {
  const written = source.document.toJS() ?? {};
  const checked = schema.safeParse(written, PARSE_ONCE);
  const changed = checked.success
    ? []
    : textsMeant(checked.error.issues, []).filter((path) => readAsText(source, path));
  return changed.length === 0 ? { written, checked } : check(schema, source);
}

/** Finds the paths where the schema expected a string but found something else. */
function textsMeant(issues: readonly z.core.$ZodIssue[], base: Path): Path[] {
  return issues.flatMap((issue) => {
    const path = pathOf(issue, base);
    if (issue.code === "invalid_union") return issue.errors.flatMap((inner) => textsMeant(inner, path));
    return issue.code === "invalid_type" && issue.expected === "string" ? [path] : [];
  });
}
