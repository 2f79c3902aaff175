import { parseDocument } from "../document/parse-document.ts";
import { formatPath, type Problem } from "../document/problem.ts";
import { locate, readYaml } from "../document/yaml-source.ts";
import type { Scenario } from "../domain/scenario.ts";
import { findShadowed } from "./find-shadowed.ts";
import { scenarioSchema } from "./schema.ts";

export type ParsedScenario =
  | { readonly scenario: Scenario; readonly warnings: readonly Problem[] }
  | { readonly problems: readonly Problem[] };

/** Reads a scenario from YAML or JSON text; all its mistakes come at once. Warnings leave it usable. */
export function parseScenario(text: string, file: string): ParsedScenario {
  const parsed = parseDocument(text, scenarioSchema, { file });
  return "problems" in parsed ? parsed : { scenario: parsed.value, warnings: warn(parsed.value, { text, file }) };
}

function warn(scenario: Scenario, { text, file }: { text: string; file: string }): Problem[] {
  const shadowed = findShadowed(scenario);
  if (shadowed.length === 0) return [];
  const source = readYaml(text);
  return shadowed.map(({ rule, by }) => {
    const path = ["rules", rule, "name"];
    const problem = `can never match, because ${JSON.stringify(by)} before it always does`;
    return {
      file,
      ...locate(source, { path, spot: "value" }),
      path: formatPath(path.slice(0, -1)),
      problem,
      repair: "move it up, or write continue: true there",
    };
  });
}
