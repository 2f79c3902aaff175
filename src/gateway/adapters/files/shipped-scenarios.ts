import { listShipped, readPrepared, readShipped, hasPrepared } from "./shipped-files.ts";
import { formatProblem } from "../../document/problem.ts";
import type { ScenarioLibrary } from "../../scenario/scenario-library.ts";
import type { Scenario } from "../../scenario/schema.ts";
import { remember } from "../../scenario/read-scenario.ts";

/**
 * Opens the scenarios in the package's `scenarios` folder; each is read on first use. Only the sources need the code that parses YAML,
 * because the build has prepared none there.
 */
export async function openShippedScenarios(): Promise<ScenarioLibrary> {
  const isPrepared = hasPrepared();
  const read = isPrepared ? readPreparedScenario : await readerOfYaml();
  const textOf = (name: string): string => (isPrepared ? readPrepared(name).text : readShipped(FOLDER, name));
  return {
    names: () => listShipped(FOLDER),
    find: (name) => known.get(name) ?? (listShipped(FOLDER).includes(name) ? keep(name, read(name)) : undefined),
    text: (name) => (listShipped(FOLDER).includes(name) ? textOf(name) : undefined),
  };
}

const FOLDER = "scenarios";

const known = new Map<string, Scenario>();

function keep(name: string, scenario: Scenario): Scenario {
  known.set(name, scenario);
  return scenario;
}

function readPreparedScenario(name: string): Scenario {
  const { scenario, parsed } = readPrepared(name);
  remember(scenario, parsed);
  return scenario;
}

async function readerOfYaml(): Promise<(name: string) => Scenario> {
  const { parseScenario } = await import("../../scenario/parse-scenario.ts");
  return (name) => {
    const parsed = parseScenario(readShipped(FOLDER, name), `${FOLDER}/${name}.yaml`);
    if ("problems" in parsed) throw new Error(parsed.problems.map(formatProblem).join("\n"));
    return parsed.scenario;
  };
}
