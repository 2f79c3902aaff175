import { isAbsolute, join } from "node:path";
import { listShipped, readPrepared, readShipped } from "./adapters/shipped-files.ts";
export { filesOnDisk } from "./adapters/files-on-disk.ts";
import { closestWord } from "./document/closest-word.ts";
import { quote } from "./document/describe-value.ts";
import { formatMistake, formatProblem } from "./document/problem.ts";
import { DEFAULT_SCENARIO, type Scenario } from "./domain/scenario.ts";
import type { Files } from "./ports/files.ts";
import type { ScenarioLibrary } from "./ports/scenario-library.ts";
import { findHidden } from "./scenario/find-hidden.ts";
import { parseScenario } from "./scenario/parse-scenario.ts";

/** A scenario as somebody asked for it. */
export interface WantedScenario {
  /** The name of a shipped one, or the path of a file. */
  readonly reference: string;
  /** Where it was asked for, as a message names the place. */
  readonly place: string;
  /** What the path is counted from; the working directory unless told. */
  readonly folder?: string;
}

export interface LoadedScenario {
  readonly scenario: Scenario;
  /** Where it was read from, and what stood there; none for a shipped one. */
  readonly file?: string;
  readonly text?: string;
}

export interface LoadedScenarios {
  /** In the order in which they are asked. */
  readonly loaded: readonly LoadedScenario[];
  readonly problems: readonly string[];
  readonly warnings: readonly string[];
}

/** Reads the scenarios that were asked for, and the default one after them; an empty list means none whatsoever. */
export function loadScenarios(wanted: readonly WantedScenario[] | undefined, files: Files): LoadedScenarios {
  const findings = (wanted ?? []).map((one) => ({ ...one, found: findScenario(one, files) }));
  const found = findings.flatMap((finding) => ("scenario" in finding.found ? [{ ...finding, ...finding.found }] : []));
  const names = found.map(({ scenario }) => scenario.name);
  const repeated = found.filter(({ scenario }, index) => names.indexOf(scenario.name) < index);
  const byDefault = wanted?.length === 0 || names.includes(DEFAULT_SCENARIO) ? [] : defaultScenario();
  return {
    loaded: [
      ...found.map(({ scenario, file, text }) => ({ scenario, ...(file !== undefined && { file }), ...(text !== undefined && { text }) })),
      ...byDefault,
    ],
    problems: [...findings.flatMap(({ found: { problems } }) => problems), ...repeated.map(sayRepeated)],
    warnings: [...findings.flatMap(({ found: { warnings } }) => warnings), ...warnOfHidden(found)],
  };
}

/** Reads one scenario file. */
export function readScenarioFile(file: string, text: string): FoundScenario {
  const parsed = parseScenario(text, file);
  if ("problems" in parsed) return { problems: parsed.problems.map(formatProblem), warnings: [] };
  return { scenario: parsed.scenario, file, text, problems: [], warnings: parsed.warnings.map(formatProblem) };
}

export type FoundScenario = (LoadedScenario | object) & { readonly problems: readonly string[]; readonly warnings: readonly string[] };

/** Reads the one scenario that was asked for. */
export function findScenario({ reference, place, folder = "" }: WantedScenario, files: Files): FoundScenario {
  if (!isPath(reference)) return findShipped(reference, place);
  const file = isAbsolute(reference) ? reference : join(folder, reference);
  const content = files.read(file);
  if ("text" in content) return readScenarioFile(file, content.text);
  const reason = "missing" in content ? "there is no such file" : content.unreadable;
  const problem = `${quote(file)} cannot be read (${reason})`;
  return refused(formatMistake(place, { problem, repair: "write the path of a scenario file" }));
}

function isPath(reference: string): boolean {
  return /[/\\]|\.(ya?ml|json)$/.test(reference);
}

function findShipped(name: string, place: string): FoundScenario {
  const scenario = shippedScenarios.find(name);
  if (scenario !== undefined) return { scenario, problems: [], warnings: [] };
  const meant = closestWord(name, shippedScenarios.names());
  const repair =
    meant === undefined ? "kredo list names them; a file is written with its folder, like ./mine.yaml" : `did you mean "${meant}"?`;
  return refused(formatMistake(place, { problem: `${quote(name)} is not a shipped scenario`, repair }));
}

function refused(problem: string): FoundScenario {
  return { problems: [problem], warnings: [] };
}

interface Found {
  readonly place: string;
  readonly scenario: Scenario;
}

function sayRepeated({ place, scenario }: Found): string {
  return formatMistake(place, {
    problem: `a scenario called ${quote(scenario.name)} is loaded already`,
    repair: "load it once, or give it another name",
  });
}

function warnOfHidden(found: readonly Found[]): string[] {
  return findHidden(found.map(({ scenario }) => scenario)).map((hidden) => formatMistake(found[hidden.scenario]?.place ?? "", hidden));
}

/** None where the package's files are not beside its code, as in a bundle of somebody else's. */
function defaultScenario(): LoadedScenario[] {
  const scenario = shippedScenarios.find(DEFAULT_SCENARIO);
  return scenario === undefined ? [] : [{ scenario }];
}

const FOLDER = "scenarios";

const known = new Map<string, Scenario>();

/** The scenarios in `scenarios/` beside the package; each is read when it is first asked for. */
export const shippedScenarios: ScenarioLibrary = {
  names: () => listShipped(FOLDER),
  find: (name) => known.get(name) ?? (listShipped(FOLDER).includes(name) ? readFromPackage(name) : undefined),
  text: (name) => (listShipped(FOLDER).includes(name) ? readShipped(FOLDER, name) : undefined),
};

function readFromPackage(name: string): Scenario {
  const text = readShipped(FOLDER, name);
  const scenario = readPrepared(name, text) ?? parseShipped(name, text);
  known.set(name, scenario);
  return scenario;
}

function parseShipped(name: string, text: string): Scenario {
  const found = parseScenario(text, `${FOLDER}/${name}.yaml`);
  if ("problems" in found) throw new Error(found.problems.map(formatProblem).join("\n"));
  return found.scenario;
}
