import { isMap, isSeq } from "yaml";
import { inOrder, parseSource } from "../document/parse-document.ts";
import { formatPath, type Problem, formatMistake } from "../document/problem.ts";
import { locate, readYaml, type YamlSource } from "../document/yaml-source.ts";
import { namesSchema } from "./names.ts";
import { findPointless, type IneffectiveSetting } from "./find-pointless.ts";
import { findShadowed, type ShadowedRule } from "./find-unreachable.ts";
import { type Scenario, scenarioSchema } from "./schema.ts";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { printScenario } from "./print-scenario.ts";

export type ParsedScenario =
  | { readonly scenario: Scenario; readonly warnings: readonly Problem[] }
  | { readonly problems: readonly Problem[] };

/** Parses a scenario from YAML or JSON text and reports all mistakes at once. A scenario with warnings is still usable. */
export function parseScenario(text: string, file: string): ParsedScenario {
  const source = readYaml(text);
  const count = countRules(source);
  if (count > MOST_RULES) return { problems: [refuseCount(source, file, count)] };
  const parsed = parseSource(source, scenarioSchema, { file });
  if ("problems" in parsed) return { problems: withWrongNames(parsed.problems, { source, file }) };
  return { scenario: parsed.value, warnings: warn(parsed.value, { source, file }) };
}

/** The most rules in one scenario. Loading more would block the sandbox for a second. */
const MOST_RULES = 500;

function countRules({ document: { contents } }: YamlSource): number {
  const rules = isMap(contents) ? contents.get("rules") : undefined;
  return isSeq(rules) ? rules.items.length : 0;
}

function refuseCount(source: YamlSource, file: string, count: number): Problem {
  const place = locate(source, { path: ["rules", MOST_RULES], spot: "value" });
  const repair = `write at most ${MOST_RULES}: let one rule match more, for example with a pattern in phone_number`;
  return { file, ...place, path: "rules", problem: `${count} rules are too many`, repair };
}

/** Adds mistakes in names, which the schema checks only if everything else is right. */
function withWrongNames(
  problems: readonly Problem[],
  { source, file }: { source: YamlSource; file: string },
): Problem[] {
  const names = parseSource(source, namesSchema, { file });
  const known = new Set(problems.map(({ line, column }) => `${line}:${column}`));
  const more = "problems" in names ? names.problems.filter(({ line, column }) => !known.has(`${line}:${column}`)) : [];
  return inOrder([...problems, ...more]);
}

function warn(scenario: Scenario, { source, file }: { source: YamlSource; file: string }): Problem[] {
  const found = [...findShadowed(scenario).map(describeShadowed), ...findPointless(scenario)];
  return found.map(({ path, stands = path, problem, repair }) => ({
    file,
    ...locate(source, { path: stands, spot: "value" }),
    path: formatPath(path),
    problem,
    repair,
  }));
}

function describeShadowed({ rule, by }: ShadowedRule): IneffectiveSetting {
  return {
    path: ["rules", rule],
    stands: ["rules", rule, "name"],
    problem: `can never match, because ${JSON.stringify(by)} before it always does`,
    repair: "move it up, or write continue: true there",
  };
}

/**
 * Validates a scenario that came with a journal instead of a file. It must be one that a file could contain, because rules run without
 * further checks. Returns what is wrong; undefined if nothing is.
 */
export function wrongInScenario(value: unknown): string | undefined {
  if (!hasParts(value)) return UNWRITABLE;
  const printed = print(value);
  if (printed === undefined) return UNWRITABLE;
  const parsed = parseScenario(printed, "");
  if ("problems" in parsed) return parsed.problems.map((problem) => formatMistake(problem.path, problem)).join(", ");
  return isDeepStrictEqual(JSON.parse(JSON.stringify(parsed.scenario)), value) ? undefined : UNWRITABLE;
}

const UNWRITABLE = "no scenario file could contain this";

const parts = z.looseObject({
  setup: z.looseObject({}),
  rules: z.array(z.looseObject({})),
  timeline: z.array(z.looseObject({})),
});

function hasParts(value: unknown): value is Scenario {
  return parts.safeParse(value).success;
}

/** A value of the wrong type deeper inside makes the printer throw. */
function print(scenario: Scenario): string | undefined {
  try {
    return printScenario(scenario);
  } catch {
    return undefined;
  }
}
