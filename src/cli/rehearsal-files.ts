import { dirname } from "node:path";
import { listShipped, readShipped } from "../adapters/files/shipped-files.ts";
import { closestWord } from "../document/closest-word.ts";
import { quote } from "../document/describe-value.ts";
import { formatPath, formatProblem } from "../document/problem.ts";
import { readOrExplain } from "./cli-error.ts";
import type { Scenario } from "../scenario/schema.ts";
import type { Files } from "../ports/files.ts";
import { parseRehearsal, type Rehearsal } from "../verdict/rehearsal/rehearsal-schema.ts";
import { findScenario } from "../sandbox/scenarios.ts";

/** A rehearsal with the scenarios that it names. */
export interface LoadedRehearsal {
  readonly rehearsal: Rehearsal;
  readonly file: string;
  readonly scenarios: readonly Scenario[];
}

export type FoundRehearsal = LoadedRehearsal | { readonly problems: readonly string[] };

const REHEARSALS = "scenarios/rehearsals";

export function shippedRehearsals(): readonly string[] {
  return listShipped(REHEARSALS);
}

/** Finds a rehearsal by the name of a shipped one or by path. */
export function findRehearsal(word: string, files: Files): FoundRehearsal {
  if (/[/\\]|\.(ya?ml|json)$/.test(word)) return readFile(word, files);
  if (shippedRehearsals().includes(word))
    return readRehearsal(`${REHEARSALS}/${word}.yaml`, readShipped(REHEARSALS, word), files);
  const meant = closestWord(word, shippedRehearsals());
  const repair =
    meant === undefined
      ? "kredo list names them; a file is written with its folder, like ./mine.yaml"
      : `did you mean "${meant}"?`;
  return { problems: [`${quote(word)} is not a shipped rehearsal; ${repair}`] };
}

/** Reads a rehearsal file and the scenarios that it names. */
export function readRehearsal(file: string, text: string, files: Files): FoundRehearsal {
  const parsed = parseRehearsal(text, file);
  if ("problems" in parsed) return { problems: parsed.problems.map(formatProblem) };
  const { rehearsal } = parsed;
  const found = rehearsal.scenario.map((reference, index) => find(reference, { file, index, files }));
  const problems = [
    ...found.flatMap((one) => one.problems),
    ...describeRepeated(
      found.flatMap(({ scenario }) => scenario ?? []),
      file,
    ),
  ];
  return problems.length > 0
    ? { problems }
    : { rehearsal, file, scenarios: found.flatMap(({ scenario }) => scenario ?? []) };
}

function readFile(path: string, files: Files): FoundRehearsal {
  const content = readOrExplain(path, files, "write the path of a rehearsal file");
  return "text" in content ? readRehearsal(path, content.text, files) : { problems: [content.mistake] };
}

interface FilePosition {
  readonly file: string;
  readonly index: number;
  readonly files: Files;
}

function find(
  reference: string | Scenario,
  { file, index, files }: FilePosition,
): { scenario?: Scenario; problems: readonly string[] } {
  if (typeof reference !== "string") return { scenario: reference, problems: [] };
  const found = findScenario(
    { reference, place: `${file} ${formatPath(["scenario", index])}`, folder: dirname(file) },
    files,
  );
  return "scenario" in found ? { scenario: found.scenario, problems: found.problems } : { problems: found.problems };
}

function describeRepeated(scenarios: readonly Scenario[], file: string): string[] {
  const names = scenarios.map(({ name }) => name);
  const repeated = names.filter((name, index) => names.indexOf(name) < index);
  return repeated.map(
    (name) => `${file} scenario: two of them are called ${quote(name)}; give one of them another name`,
  );
}
