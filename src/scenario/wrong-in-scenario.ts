import { isDeepStrictEqual } from "node:util";
import * as z from "zod";
import { formatMistake } from "../document/problem.ts";
import { parseScenario } from "./parse-scenario.ts";
import { printScenario } from "./print-scenario.ts";
import type { Scenario } from "./schema.ts";

/**
 * What is wrong with a scenario that did not come from a file, but with a journal: it must be one that a file could hold,
 * because rules are carried out without another look. Undefined when nothing is.
 */
export function wrongInScenario(value: unknown): string | undefined {
  if (!hasParts(value)) return UNWRITABLE;
  const printed = print(value);
  if (printed === undefined) return UNWRITABLE;
  const parsed = parseScenario(printed, "");
  if ("problems" in parsed) return parsed.problems.map((problem) => formatMistake(problem.path, problem)).join(", ");
  return isDeepStrictEqual(JSON.parse(JSON.stringify(parsed.scenario)), value) ? undefined : UNWRITABLE;
}

const UNWRITABLE = "no scenario file could say this";

const parts = z.looseObject({ setup: z.looseObject({}), rules: z.array(z.looseObject({})), timeline: z.array(z.looseObject({})) });

function hasParts(value: unknown): value is Scenario {
  return parts.safeParse(value).success;
}

/** Deeper inside, a value that is not what it should be has the printer throw. */
function print(scenario: Scenario): string | undefined {
  try {
    return printScenario(scenario);
  } catch {
    return undefined;
  }
}
