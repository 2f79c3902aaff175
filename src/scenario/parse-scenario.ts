import { isMap, isSeq } from "yaml";
import { parseSource } from "../document/parse-document.ts";
import { type Problem, formatMistake } from "../document/problem.ts";
import { locate, readYaml, type YamlSource } from "../document/yaml-source.ts";
import { type Scenario, scenarioSchema } from "./schema.ts";
import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { printScenario } from "./print-scenario.ts";

export type ParsedScenario = { readonly scenario: Scenario } | { readonly problems: readonly Problem[] };

/** Parses a scenario from YAML or JSON text and reports all mistakes at once. */
export function parseScenario(text: string, file: string): ParsedScenario {
  const source = readYaml(text);
  const count = countRules(source);
  if (count > MOST_RULES) return { problems: [refuseCount(source, file, count)] };
  const parsed = parseSource(source, scenarioSchema, { file });
  return "problems" in parsed ? parsed : { scenario: parsed.value };
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
