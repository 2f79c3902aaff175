import type * as z from "zod";
import { explainIssues, ONCE, pathOf } from "./explain-issues.ts";
import { TOO_DEEP } from "./nesting.ts";
import { formatPath, type Path, type Problem } from "./problem.ts";
import { findSyntaxProblems } from "./syntax-problems.ts";
import { locate, numberText, readYaml, type YamlSource } from "./yaml-source.ts";

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
  const spelling = syntax.map(({ path, position, problem, repair }) => ({
    file,
    ...position,
    path: formatPath(path),
    problem,
    repair,
  }));
  if (syntax.some(({ fatal }) => fatal)) return { problems: inOrder(spelling) };
  const plain = toValue(source);
  if ("problem" in plain) return { problems: [{ file, line: 1, column: 1, path: "", ...plain }] };
  const { checked, written } = check(plain.value, schema, source);
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

/** Nested aliases can multiply without limit, so the YAML library is told to stop at a hundred. */
function toValue({ document }: YamlSource): { value: unknown } | { problem: string; repair: string } {
  try {
    return { value: document.toJS({ maxAliasCount: 100 }) ?? {} };
  } catch (error) {
    // Nested anchors can exceed the depth of any written document.
    if (error instanceof RangeError) return TOO_DEEP;
    if (!(error instanceof ReferenceError)) throw error;
    return { problem: "aliases repeat more than a hundred values", repair: "write the values out" };
  }
}

function check<Schema extends z.ZodType>(
  written: unknown,
  schema: Schema,
  source: YamlSource,
): { written: unknown; checked: z.ZodSafeParseResult<z.output<Schema>> } {
  const checked = schema.safeParse(written, ONCE);
  if (checked.success) return { written, checked };
  const texts = textsMeant(checked.error.issues, []).flatMap((path) => {
    const text = numberText(source, path);
    return text === undefined ? [] : [{ path, text }];
  });
  if (texts.length === 0) return { written, checked };
  return check(replaceTexts(written, texts), schema, source);
}

/** Finds the paths where the schema expected a string but found a number. */
function textsMeant(issues: readonly z.core.$ZodIssue[], base: Path): Path[] {
  return issues.flatMap((issue) => {
    const path = pathOf(issue, base);
    if (issue.code === "invalid_union") return issue.errors.flatMap((inner) => textsMeant(inner, path));
    return issue.code === "invalid_type" && issue.expected === "string" && typeof issue.input === "number"
      ? [path]
      : [];
  });
}

interface MeantText {
  readonly path: Path;
  readonly text: string;
}

/** Copies each mapping and list once, however many of its values are replaced. */
function replaceTexts(value: unknown, texts: readonly MeantText[]): unknown {
  const [first] = texts;
  if (first === undefined) return value;
  if (first.path.length === 0) return first.text;
  const inside = new Map<string, MeantText[]>();
  for (const { path, text } of texts) {
    const step = String(path[0]);
    const others = inside.get(step) ?? [];
    inside.set(step, others);
    others.push({ path: path.slice(1), text });
  }
  if (Array.isArray(value)) return value.map((entry, index) => replaceTexts(entry, inside.get(String(index)) ?? []));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, entry]) => [key, replaceTexts(entry, inside.get(key) ?? [])]),
  );
}
