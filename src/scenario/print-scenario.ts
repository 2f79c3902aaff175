import { stringify } from "yaml";
import type { Rule, Scenario, When } from "../domain/scenario.ts";
import { printEffects } from "./effects.ts";
import { printMatchers } from "./matchers.ts";
import { printCounting } from "./matchers/counting.ts";
import { printSetup } from "./setup-schema.ts";
import { printStep } from "./timeline-schema.ts";

/** Long sentences stay on one line, as people write them. */
const UNFOLDED = { lineWidth: 0 };

/** The scenario as a file; read again it is the same scenario. */
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

function printRule({ name, when, then, continue: goesOn }: Rule): Record<string, unknown> {
  const printedWhen = printWhen(when);
  return {
    name,
    ...(Object.keys(printedWhen).length > 0 && { when: printedWhen }),
    then: printEffects(then),
    ...(goesOn && { continue: true }),
  };
}

/** Which requests a rule is about, as it stands in a file. */
export function printWhen(when: When): Record<string, unknown> {
  return { ...printMatchers(when), ...(when.count && printCounting(when.count)) };
}
