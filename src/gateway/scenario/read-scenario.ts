import { explainIssues, PARSE_ONCE } from "../document/explain-issues.ts";
import { formatMistake, formatPath, type Problem } from "../document/problem.ts";
import { type ParsedScenario, type Scenario, scenarioSchema } from "./schema.ts";
import { counted } from "../domain/counted.ts";

/** What has been read, by the written scenario. */
const known = new WeakMap<object, ParsedScenario>();

/** Reads a written scenario, once. Throws an Error if no file could contain it. */
export function readScenario(scenario: Scenario): ParsedScenario {
  return known.get(scenario) ?? remember(scenario, scenarioSchema.parse(scenario, PARSE_ONCE));
}

/** Saves reading a written scenario again. */
export function remember(scenario: object, parsed: ParsedScenario): ParsedScenario {
  known.set(scenario, parsed);
  return parsed;
}

/** Checks a scenario that came with a journal, as the reader of files does. Returns what is wrong; undefined if nothing is. */
export function wrongInScenario(value: unknown): string | undefined {
  if (typeof value !== "object" || value === null) return "is not a scenario";
  if ("rules" in value && Array.isArray(value.rules) && value.rules.length > MAX_RULES)
    return formatMistake("rules", tooManyRules(value.rules.length));
  const { data, error } = scenarioSchema.safeParse(value, PARSE_ONCE);
  if (data !== undefined) remember(value, data);
  return (
    error &&
    explainIssues(error.issues, scenarioSchema)
      .map((wrong) => formatMistake(formatPath(wrong.path), wrong))
      .join(", ")
  );
}

/** The most rules in one scenario. Loading more would block the sandbox for a second. */
export const MAX_RULES = 500;

export function tooManyRules(count: number): Pick<Problem, "problem" | "repair"> {
  const repair = `write at most ${MAX_RULES}: let one rule match more, for example with a pattern in phone_number`;
  return { problem: `${counted(count, "rule is", "rules are")} too many`, repair };
}
