import * as z from "zod";
import { optionalKey } from "../document/optional-key.ts";
import { textThat } from "../document/values.ts";
import type { Scenario } from "../domain/scenario.ts";
import { checkNames, namesOf } from "./names.ts";
import { ruleValue } from "./rule-schema.ts";
import { setupValue } from "./setup-schema.ts";
import { stepValue } from "./timeline-schema.ts";

const nameValue = textThat((text) => /^[A-Za-z0-9][\w.-]{0,63}$/.test(text), {
  what: "a scenario's name",
  repair: "write letters, digits, dots and dashes, like bad-afternoon",
});

/** A scenario file. */
export const scenarioSchema = z.lazy(() =>
  z
    .strictObject({
      $schema: optionalKey("For editors; Kredo does not read it.", () => z.string()),
      version: z.literal(1).describe("The version of this format: 1."),
      name: nameValue.describe("What it is called in commands, in the control API and in x-kredo-rule."),
      description: optionalKey("The story it tells, in a sentence or two.", () => z.string()),
      seed: optionalKey("The account's seed while this scenario runs.", () => z.int().min(0)),
      setup: optionalKey("What the account is changed to when the scenario begins, and again after a reset.", () => setupValue),
      rules: optionalKey("Tried in order; the first that matches decides, unless it says continue.", () => z.array(ruleValue)),
      timeline: optionalKey("What happens by itself, on the account's clock.", () => z.array(stepValue)),
    })
    .transform(({ name, description, seed, setup = {}, rules = [], timeline = [] }): Scenario => ({
      name,
      ...(description !== undefined && { description }),
      ...(seed !== undefined && { seed }),
      setup,
      rules,
      timeline,
    }))
    .superRefine((scenario, context) => checkNames(namesOf(scenario), context)),
);
