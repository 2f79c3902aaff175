import { listShipped, readPrepared, readShipped } from "./shipped-files.ts";
import { formatProblem } from "../../document/problem.ts";
import type { Scenario } from "../../scenario/schema.ts";
import type { ScenarioLibrary } from "../../ports/scenario-library.ts";
import { parseScenario } from "../../scenario/parse-scenario.ts";
import { remember } from "../../scenario/read-scenario.ts";

/** The scenarios in the package's `scenarios` folder; each is read on first use. */
export const shippedScenarios: ScenarioLibrary = {
  names: () => listShipped(FOLDER),
  find: (name) => known.get(name) ?? (listShipped(FOLDER).includes(name) ? read(name) : undefined),
  text: (name) => (listShipped(FOLDER).includes(name) ? readShipped(FOLDER, name) : undefined),
};

const FOLDER = "scenarios";

const known = new Map<string, Scenario>();

function read(name: string): Scenario {
  const prepared = readPrepared(name);
  if (prepared !== undefined) remember(prepared.scenario, prepared.parsed);
  const scenario = prepared?.scenario ?? parse(name);
  known.set(name, scenario);
  return scenario;
}

function parse(name: string): Scenario {
  const parsed = parseScenario(readShipped(FOLDER, name), `${FOLDER}/${name}.yaml`);
  if ("problems" in parsed) throw new Error(parsed.problems.map(formatProblem).join("\n"));
  return parsed.scenario;
}
