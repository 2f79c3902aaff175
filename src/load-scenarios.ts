import { isAbsolute, join } from "node:path";
import { filesOnDisk, type Files, reasonUnread } from "./gateway/adapters/files/files-on-disk.ts";
import { closestWord } from "./gateway/document/closest-word.ts";
import { quoteText } from "./gateway/document/describe-value.ts";
import { formatMistake, formatProblem } from "./gateway/document/problem.ts";
import { isPath } from "./gateway/scenario/is-path.ts";
import { DEFAULT_SCENARIO } from "./gateway/settings/defaults.ts";
import type { Scenario } from "./gateway/scenario/schema.ts";
import { openShippedScenarios } from "./gateway/adapters/files/shipped-scenarios.ts";

/** A scenario named in the config, a flag or an environment variable. */
export interface WantedScenario {
  /** The name of a shipped scenario, or the path of a file. */
  readonly reference: string;
  /** Where it is named, for error messages. */
  readonly place: string;
  /** The folder that a relative path starts from. Defaults to the working directory. */
  readonly folder?: string;
}

export interface LoadedScenario {
  readonly scenario: Scenario;
  /** The file's path and text; absent for a shipped scenario. */
  readonly file?: string;
  readonly text?: string;
}

export interface LoadedScenarios {
  /** In the order in which their rules are tried. */
  readonly loaded: readonly LoadedScenario[];
  readonly problems: readonly string[];
}

export type FoundScenario = (LoadedScenario | object) & { readonly problems: readonly string[] };

/** Reads the named scenarios and adds the default one at the end. An empty list means no scenarios at all. */
export async function loadScenarios(
  wanted: readonly WantedScenario[] | undefined,
  files: Files = filesOnDisk,
): Promise<LoadedScenarios> {
  const finding = (wanted ?? []).map(async (one) => ({ ...one, found: await findScenario(one, files) }));
  const findings = await Promise.all(finding);
  const found = findings.flatMap((finding) => ("scenario" in finding.found ? [{ ...finding, ...finding.found }] : []));
  const names = found.map(({ scenario }) => scenario.name);
  const repeated = found.filter(({ scenario }, index) => names.indexOf(scenario.name) < index);
  const byDefault = wanted?.length === 0 || names.includes(DEFAULT_SCENARIO) ? [] : await defaultScenario();
  return {
    loaded: [...found.map(({ scenario, file, text }) => ({ scenario, file, text })), ...byDefault],
    problems: [...findings.flatMap(({ found: { problems } }) => problems), ...repeated.map(describeRepeated)],
  };
}

export async function findScenario(
  { reference, place, folder = "" }: WantedScenario,
  files: Files,
): Promise<FoundScenario> {
  if (!isPath(reference)) return findShipped(reference, place);
  const file = isAbsolute(reference) ? reference : join(folder, reference);
  const content = files.read(file);
  if ("text" in content) return readScenarioFile(file, content.text);
  const problem = `${quoteText(file)} cannot be read (${reasonUnread(content)})`;
  return { problems: [formatMistake(place, { problem, repair: "write the path of a scenario file" })] };
}

async function findShipped(name: string, place: string): Promise<FoundScenario> {
  const shipped = await openShippedScenarios();
  const scenario = shipped.find(name);
  if (scenario !== undefined) return { scenario, problems: [] };
  const meant = closestWord(name, shipped.names());
  const repair =
    meant === undefined
      ? "kredo list names them; a file is written with its folder, like ./mine.yaml"
      : `did you mean "${meant}"?`;
  return { problems: [formatMistake(place, { problem: `${quoteText(name)} is not a shipped scenario`, repair })] };
}

export async function readScenarioFile(file: string, text: string): Promise<FoundScenario> {
  const { parseScenario } = await import("./gateway/scenario/parse-scenario.ts");
  const parsed = parseScenario(text, file);
  if ("problems" in parsed) return { problems: parsed.problems.map(formatProblem) };
  return { scenario: parsed.scenario, file, text, problems: [] };
}

/** Returns none if the package's files are missing, as in a user's bundle. */
async function defaultScenario(): Promise<LoadedScenario[]> {
  const scenario = (await openShippedScenarios()).find(DEFAULT_SCENARIO);
  return scenario === undefined ? [] : [{ scenario }];
}

interface Found {
  readonly place: string;
  readonly scenario: Scenario;
}

function describeRepeated({ place, scenario }: Found): string {
  return formatMistake(place, {
    problem: `a scenario called ${quoteText(scenario.name)} is loaded already`,
    repair: "load it once, or give it another name",
  });
}
