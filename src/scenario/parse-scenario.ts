import { isMap, isSeq } from "yaml";
import { explainIssues } from "../document/explain-issues.ts";
import { ONCE, parseSource } from "../document/parse-document.ts";
import { formatMistake, formatPath, type Problem } from "../document/problem.ts";
import { locate, readYaml, type YamlSource } from "../document/yaml-source.ts";
import { type ParsedScenario, type Scenario, scenarioSchema } from "./schema.ts";

/** Parses a scenario from YAML or JSON text and reports all mistakes at once. */
export function parseScenario(
  text: string,
  file: string,
): { readonly scenario: Scenario } | { readonly problems: readonly Problem[] } {
  const source = readYaml(text);
  const count = countRules(source);
  if (count > MOST_RULES) return { problems: [refuseCount(source, file, count)] };
  const parsed = parseSource(source, scenarioSchema, { file });
  if ("problems" in parsed) return parsed;
  known.set(parsed.written, parsed.value);
  return { scenario: parsed.written };
}

/** What has been read, by the written scenario. */
const known = new WeakMap<Scenario, ParsedScenario>();

/** Reads a written scenario, once. Throws an Error if no file could contain it. */
export function readScenario(scenario: Scenario): ParsedScenario {
  const read = known.get(scenario) ?? scenarioSchema.parse(scenario, ONCE);
  known.set(scenario, read);
  return read;
}

/** The most rules in one scenario. Loading more would block the sandbox for a second. */
const MOST_RULES = 500;

function countRules({ document: { contents } }: YamlSource): number {
  const rules = isMap(contents) ? contents.get("rules") : undefined;
  return isSeq(rules) ? rules.items.length : 0;
}

function refuseCount(source: YamlSource, file: string, count: number): Problem {
  const place = locate(source, { path: ["rules", MOST_RULES], spot: "value" });
  return { file, ...place, path: "rules", ...tooManyRules(count) };
}

function tooManyRules(count: number): Pick<Problem, "problem" | "repair"> {
  const repair = `write at most ${MOST_RULES}: let one rule match more, for example with a pattern in phone_number`;
  return { problem: `${count} rules are too many`, repair };
}

/** Checks a scenario that came with a journal, as the reader of files does. Returns what is wrong; undefined if nothing is. */
export function wrongInScenario(value: unknown): string | undefined {
  if (hasRules(value) && value.rules.length > MOST_RULES)
    return formatMistake("rules", tooManyRules(value.rules.length));
  const { error } = scenarioSchema.safeParse(value, ONCE);
  return (
    error &&
    explainIssues(error.issues, scenarioSchema)
      .map((wrong) => formatMistake(formatPath(wrong.path), wrong))
      .join(", ")
  );
}

function hasRules(value: unknown): value is { readonly rules: readonly unknown[] } {
  return typeof value === "object" && value !== null && "rules" in value && Array.isArray(value.rules);
}
