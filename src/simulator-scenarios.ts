import { listShipped, readShipped } from "./adapters/shipped-files.ts";
import { formatProblem } from "./document/problem.ts";
import type { Scenario } from "./domain/scenario.ts";
import type { ScenarioLibrary } from "./ports/scenario-library.ts";
import { parseScenario } from "./scenario/parse-scenario.ts";

const parsed = new Map<string, Scenario>();

/** The scenarios in `scenarios/` beside the package; each is read when it is first asked for. */
export const shippedScenarios: ScenarioLibrary = {
  names: listShipped,
  find: (name) => parsed.get(name) ?? (listShipped().includes(name) ? read(name) : undefined),
};

function read(name: string): Scenario {
  const file = `scenarios/${name}.yaml`;
  const found = parseScenario(readShipped(name), file);
  if ("problems" in found) throw new Error(found.problems.map(formatProblem).join("\n"));
  parsed.set(name, found.scenario);
  return found.scenario;
}
