import { isAbsolute, join } from "node:path";
export { filesOnDisk } from "./adapters/files-on-disk.ts";
import { quote } from "./document/describe-value.ts";
import { formatMistake, formatProblem } from "./document/problem.ts";
import type { Files } from "./ports/files.ts";
import type { ScenarioLibrary } from "./ports/scenario-library.ts";
import { parseScenario } from "./scenario/parse-scenario.ts";
import {
  arrangeScenarios,
  findShipped,
  FOLDER,
  type FoundScenario,
  isPath,
  libraryOf,
  type LoadedScenarios,
  type WantedScenario,
} from "./simulator-shipped.ts";

/** Reads the scenarios that were asked for, and the default one after them; an empty list means none whatsoever. */
export function loadScenarios(wanted: readonly WantedScenario[] | undefined, files: Files): LoadedScenarios {
  return arrangeScenarios(wanted, { find: (one) => findScenario(one, files), shipped: shippedScenarios });
}

/** Reads one scenario file. */
export function readScenarioFile(file: string, text: string): FoundScenario {
  const parsed = parseScenario(text, file);
  if ("problems" in parsed) return { problems: parsed.problems.map(formatProblem), warnings: [] };
  return { scenario: parsed.scenario, file, text, problems: [], warnings: parsed.warnings.map(formatProblem) };
}

/** Reads the one scenario that was asked for. */
export function findScenario({ reference, place, folder = "" }: WantedScenario, files: Files): FoundScenario {
  if (!isPath(reference)) return findShipped({ reference, place }, shippedScenarios);
  const file = isAbsolute(reference) ? reference : join(folder, reference);
  const content = files.read(file);
  if ("text" in content) return readScenarioFile(file, content.text);
  const reason = "missing" in content ? "there is no such file" : content.unreadable;
  const problem = `${quote(file)} cannot be read (${reason})`;
  return { problems: [formatMistake(place, { problem, repair: "write the path of a scenario file" })], warnings: [] };
}

/** The scenarios in `scenarios/` beside the package; each is read when it is first asked for. */
export const shippedScenarios: ScenarioLibrary = libraryOf((name, text) => {
  const found = parseScenario(text, `${FOLDER}/${name}.yaml`);
  if ("problems" in found) throw new Error(found.problems.map(formatProblem).join("\n"));
  return found.scenario;
});
