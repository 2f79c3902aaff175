import { listShipped, readPrepared, readShipped, wasBuilt } from "./adapters/shipped-files.ts";
import { closestWord } from "./document/closest-word.ts";
import { quote } from "./document/describe-value.ts";
import { formatMistake } from "./document/problem.ts";
import { DEFAULT_SCENARIO, type Scenario } from "./domain/scenario.ts";
import type { ScenarioLibrary } from "./ports/scenario-library.ts";
import { findHidden } from "./scenario/find-hidden.ts";

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

export type FoundScenario = (LoadedScenario | object) & { readonly problems: readonly string[]; readonly warnings: readonly string[] };

/** How the scenarios that were asked for are found. */
interface Sources {
  readonly find: (wanted: WantedScenario) => FoundScenario;
  readonly shipped: ScenarioLibrary;
}

/** Puts the scenarios that were asked for in order, and the default one after them; an empty list means none whatsoever. */
export function arrangeScenarios(wanted: readonly WantedScenario[] | undefined, { find, shipped }: Sources): LoadedScenarios {
  const findings = (wanted ?? []).map((one) => ({ ...one, found: find(one) }));
  const found = findings.flatMap((finding) => ("scenario" in finding.found ? [{ ...finding, ...finding.found }] : []));
  const names = found.map(({ scenario }) => scenario.name);
  const repeated = found.filter(({ scenario }, index) => names.indexOf(scenario.name) < index);
  const byDefault = wanted?.length === 0 || names.includes(DEFAULT_SCENARIO) ? [] : defaultScenario(shipped);
  return {
    loaded: [
      ...found.map(({ scenario, file, text }) => ({ scenario, ...(file !== undefined && { file }), ...(text !== undefined && { text }) })),
      ...byDefault,
    ],
    problems: [...findings.flatMap(({ found: { problems } }) => problems), ...repeated.map(sayRepeated)],
    warnings: [...findings.flatMap(({ found: { warnings } }) => warnings), ...warnOfHidden(found)],
  };
}

/** None where the package's files are not beside its code, as in a bundle of somebody else's. */
function defaultScenario(shipped: ScenarioLibrary): LoadedScenario[] {
  const scenario = shipped.find(DEFAULT_SCENARIO);
  return scenario === undefined ? [] : [{ scenario }];
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

/** Whether a scenario is asked for by its file's path, and not by its name. */
export function isPath(reference: string): boolean {
  return /[/\\]|\.(ya?ml|json)$/.test(reference);
}

/** Finds a shipped scenario by its name. */
export function findShipped({ reference: name, place }: WantedScenario, shipped: ScenarioLibrary): FoundScenario {
  const scenario = shipped.find(name);
  if (scenario !== undefined) return { scenario, problems: [], warnings: [] };
  const meant = closestWord(name, shipped.names());
  const repair =
    meant === undefined ? "kredo list names them; a file is written with its folder, like ./mine.yaml" : `did you mean "${meant}"?`;
  return { problems: [formatMistake(place, { problem: `${quote(name)} is not a shipped scenario`, repair })], warnings: [] };
}

/** The library; what reads YAML is loaded along with it only where no build has done that. */
export async function openLibrary(): Promise<ScenarioLibrary> {
  return wasBuilt() ? builtScenarios : (await import("./simulator-scenarios.ts")).shippedScenarios;
}

/** A shipped file says something else than the one that was built. */
export class Unbuilt extends Error {}

/** The scenarios in `scenarios/` beside the package, as the build has read them. Throws `Unbuilt` for one that was changed since. */
export const builtScenarios: ScenarioLibrary = libraryOf((name) => {
  throw new Unbuilt(`${FOLDER}/${name}.yaml was changed after the build; run npm run build`);
});

export const FOLDER = "scenarios";

const known = new Map<string, Scenario>();

/** The scenarios in `scenarios/`, with a reader for those that no build has read as they are; each is read when it is first asked for. */
export function libraryOf(read: (name: string, text: string) => Scenario): ScenarioLibrary {
  const readFromPackage = (name: string): Scenario => {
    const text = readShipped(FOLDER, name);
    const scenario = readPrepared(name, text) ?? read(name, text);
    known.set(name, scenario);
    return scenario;
  };
  return {
    names: () => listShipped(FOLDER),
    find: (name) => known.get(name) ?? (listShipped(FOLDER).includes(name) ? readFromPackage(name) : undefined),
    text: (name) => (listShipped(FOLDER).includes(name) ? readShipped(FOLDER, name) : undefined),
  };
}
