import { isMap, isSeq } from "yaml";
import { parseSource } from "../document/parse-document.ts";
import type { Problem } from "../document/problem.ts";
import { locate, readYaml } from "../document/yaml-source.ts";
import { MOST_RULES, remember, tooManyRules } from "./read-scenario.ts";
import { type Scenario, scenarioSchema } from "./schema.ts";

/** Parses a scenario from YAML or JSON text and reports all mistakes at once. */
export function parseScenario(
  text: string,
  file: string,
): { readonly scenario: Scenario } | { readonly problems: readonly Problem[] } {
  const source = readYaml(text);
  const { contents } = source.document;
  const rules = isMap(contents) ? contents.get("rules") : undefined;
  if (isSeq(rules) && rules.items.length > MOST_RULES) {
    const place = locate(source, { path: ["rules", MOST_RULES], spot: "value" });
    return { problems: [{ file, ...place, path: "rules", ...tooManyRules(rules.items.length) }] };
  }
  const parsed = parseSource(source, scenarioSchema, file);
  if ("problems" in parsed) return parsed;
  remember(parsed.written, parsed.value);
  return { scenario: parsed.written };
}
