import { isSeq } from "yaml";
import { parseSource } from "../document/parse-document.ts";
import { formatPath, type Path, type Problem } from "../document/problem.ts";
import { locate, readYaml, type YamlSource } from "../document/yaml-source.ts";
import { MAX_RULES, remember, tooManyRules } from "./read-scenario.ts";
import { type Scenario, scenarioSchema } from "./schema.ts";

/** Parses a scenario from YAML or JSON text and reports all mistakes at once. */
export function parseScenario(
  text: string,
  file: string,
): { readonly scenario: Scenario } | { readonly problems: readonly Problem[] } {
  const source = readYaml(text);
  const excess = tooManyRulesAt(["rules"], source, file);
  if (excess !== undefined) return { problems: [excess] };
  const parsed = parseSource(source, scenarioSchema, file);
  if ("problems" in parsed) return parsed;
  remember(parsed.written, parsed.value);
  return { scenario: parsed.written };
}

/** Returns what is wrong with a list of rules that is too long to be read. */
export function tooManyRulesAt(path: Path, source: YamlSource, file: string): Problem | undefined {
  const rules = source.document.getIn(path);
  if (!isSeq(rules) || rules.items.length <= MAX_RULES) return undefined;
  const place = locate(source, { path: [...path, MAX_RULES], spot: "value" });
  return { file, ...place, path: formatPath(path), ...tooManyRules(rules.items.length) };
}
