import { stringify } from "yaml";
import { printEffects } from "./effects.ts";
import { printWhen } from "./matchers.ts";
import type { Rule, Scenario } from "./schema.ts";
import { printSetup } from "./setup.ts";
import { printStep } from "./timeline.ts";

/** Keeps long sentences on one line, as people write them. */
const UNFOLDED = { lineWidth: 0 };

/** Prints a scenario as a file. Parsing it again gives the same scenario. */
export function printScenario({ name, description, seed, setup, rules, timeline }: Scenario): string {
  const printedSetup = printSetup(setup);
  const document = {
    version: 1,
    name,
    ...(description !== undefined && { description }),
    ...(seed !== undefined && { seed }),
    ...(Object.keys(printedSetup).length > 0 && { setup: printedSetup }),
    ...(rules.length > 0 && { rules: rules.map(printRule) }),
    ...(timeline.length > 0 && { timeline: timeline.map(printStep) }),
  };
  return stringify(document, UNFOLDED);
}

function printRule({ name, when, then, continue: continues }: Rule): Record<string, unknown> {
  const printedWhen = printWhen(when);
  return {
    name,
    ...(Object.keys(printedWhen).length > 0 && { when: printedWhen }),
    then: printEffects(then),
    ...(continues && { continue: true }),
  };
}
