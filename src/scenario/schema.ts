import * as z from "zod";
import { closestWord } from "../document/closest-word.ts";
import { complain, type Complaint, textThat } from "../document/values.ts";
import { INITIAL_STATE, type Rule, type Scenario, type TimelineStep } from "../domain/scenario.ts";
import { ruleValue } from "./rule-schema.ts";
import { setupValue } from "./setup-schema.ts";
import { stepValue } from "./timeline-schema.ts";

const nameValue = textThat((text) => /^[A-Za-z0-9][\w.-]{0,63}$/.test(text), {
  what: "a scenario's name",
  repair: "write letters, digits, dots and dashes, like bad-afternoon",
});

/** A scenario file. */
export const scenarioSchema = z
  .strictObject({
    $schema: z.string().describe("For editors; Kredo does not read it.").exactOptional(),
    version: z.literal(1).describe("The version of this format: 1."),
    name: nameValue.describe("What it is called in commands, in the control API and in x-kredo-rule."),
    description: z.string().describe("The story it tells, in a sentence or two.").exactOptional(),
    seed: z.int().min(0).describe("The account's seed while this scenario runs.").exactOptional(),
    setup: setupValue.describe("What the account is changed to when the scenario begins, and again after a reset.").exactOptional(),
    rules: z.array(ruleValue).describe("Tried in order; the first that matches decides, unless it says continue.").exactOptional(),
    timeline: z.array(stepValue).describe("What happens by itself, on the account's clock.").exactOptional(),
  })
  .transform(({ name, description, seed, setup = {}, rules = [], timeline = [] }): Scenario => ({
    name,
    ...(description !== undefined && { description }),
    ...(seed !== undefined && { seed }),
    setup,
    rules,
    timeline,
  }))
  .superRefine(({ rules, timeline }, context) => {
    for (const complaint of [...repeatedNames(rules), ...unknownRules(rules, timeline), ...unreachableStates(rules, timeline)])
      complain(context, complaint);
  });

function repeatedNames(rules: readonly Rule[]): Complaint[] {
  const names = rules.map(({ name }) => name);
  return names.flatMap((name, index) => {
    const first = names.indexOf(name);
    if (first === index) return [];
    return [
      {
        path: ["rules", index, "name"],
        problem: `${JSON.stringify(name)} is the name of rules[${first}] already`,
        repair: "write another one",
      },
    ];
  });
}

function unknownRules(rules: readonly Rule[], timeline: readonly TimelineStep[]): Complaint[] {
  const names = rules.map(({ name }) => name);
  return timeline.flatMap(({ do: action }, index) => {
    if (action.kind !== "rule" || names.includes(action.rule)) return [];
    const meant = closestWord(action.rule, names);
    const repair = meant === undefined ? "write the name of a rule of this file" : `did you mean ${JSON.stringify(meant)}?`;
    return [{ path: ["timeline", index, "do", "rule", action.rule], problem: "no rule has this name", repair }];
  });
}

function unreachableStates(rules: readonly Rule[], timeline: readonly TimelineStep[]): Complaint[] {
  const states = statesOf(rules, timeline);
  return rules.flatMap(({ when }, index) => {
    if (when.in === undefined || states.includes(when.in)) return [];
    const meant = closestWord(when.in, states);
    const repair =
      meant === undefined ? `enter it somewhere, or write ${INITIAL_STATE}, where the scenario begins` : `did you mean "${meant}"?`;
    return [{ path: ["rules", index, "when", "in"], problem: `no rule or step enters ${JSON.stringify(when.in)}`, repair }];
  });
}

function statesOf(rules: readonly Rule[], timeline: readonly TimelineStep[]): string[] {
  const byRules = rules.flatMap(({ then }) => then.enter ?? []);
  const bySteps = timeline.flatMap(({ do: action }) => (action.kind === "enter" ? [action.state] : []));
  return [INITIAL_STATE, ...byRules, ...bySteps];
}
