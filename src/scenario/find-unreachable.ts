import { DEFAULT_SCENARIO } from "./active-scenario.ts";
import { coversWhen, MATCHER_KEYS, MATCHERS } from "./matchers.ts";
import type { Rule, Scenario } from "./schema.ts";

export interface ShadowedRule {
  /** Its place among the rules. */
  readonly rule: number;
  /** The name of the rule that leaves nothing for it. */
  readonly by: string;
}

/** Finds rules that can never match, because an earlier one without `continue` always matches what they match. */
export function findShadowed(scenario: Scenario): ShadowedRule[] {
  const { rules } = scenario;
  const decisive = new Set(findDecisive(scenario));
  return rules.flatMap(({ when }, index) => {
    const earlier = rules.slice(0, index).find((rule) => decisive.has(rule) && coversWhen(rule.when, when));
    return earlier === undefined ? [] : [{ rule: index, by: earlier.name }];
  });
}

export interface HiddenScenario {
  /** Its place among the scenarios. */
  readonly scenario: number;
  readonly problem: string;
  readonly repair: string;
}

/** As much of a running scenario as hides another one: its rules that are switched on. */
export type RunningRules = Pick<Scenario, "name" | "rules" | "timeline">;

/**
 * Finds scenarios of which no rule can ever match, because rules of those tried before always match what theirs do. The default one
 * is tried last wherever it stands, and nobody expects it to match behind a rule for everything.
 */
export function findHidden(scenarios: readonly RunningRules[]): HiddenScenario[] {
  return scenarios.flatMap((hidden, place) => {
    if (hidden.name === DEFAULT_SCENARIO) return [];
    const rules = scenarios.slice(0, place).flatMap(findLasting);
    const hidingOf = ({ when }: Rule): HidingRule | undefined => rules.find(({ rule }) => coversWhen(rule.when, when));
    const [first] = hidden.rules.slice(0, 1).map(hidingOf);
    // Every start checks this, so it stops at the first rule that may match.
    if (first === undefined || !hidden.rules.every((rule) => hidingOf(rule) !== undefined)) return [];
    return [{ scenario: place, ...describeHidden(hidden.name, first) }];
  });
}

/** Finds scenarios whose seed decides nothing, because one that is tried before fixes the run. */
export function findIgnoredSeeds(scenarios: readonly SeededScenario[]): HiddenScenario[] {
  const place = scenarios.findIndex(fixesRun);
  const deciding = scenarios[place];
  if (deciding === undefined) return [];
  return scenarios.flatMap((scenario, index) => {
    if (index <= place || !fixesRun(scenario)) return [];
    const [name, earlier] = [JSON.stringify(scenario.name), JSON.stringify(deciding.name)];
    return [
      {
        scenario: index,
        problem: `the seed of ${name} does not repeat its run, because ${earlier} before it has one`,
        repair: `begin ${name} before ${earlier}, or remove one of the two seeds`,
      },
    ];
  });
}

type SeededScenario = Pick<Scenario, "name" | "seed" | "setup">;

function fixesRun({ seed, setup }: SeededScenario): boolean {
  return seed !== undefined || setup.identity !== undefined;
}

/** The rules after which no other one is tried for what they match. */
function findDecisive({ rules, timeline }: RunningRules): Rule[] {
  const switched = timeline.flatMap(({ do: action }) => Object.keys(action.rule ?? {}));
  return rules.filter((rule) => !rule.continue && !switched.includes(rule.name));
}

interface HidingRule {
  readonly scenario: string;
  readonly rule: Rule;
}

/** Each scenario has a state and a time of its own, so a rule that depends on them tells nothing about another scenario. */
function findLasting(scenario: RunningRules): HidingRule[] {
  return findDecisive(scenario)
    .filter(({ when }) => !MATCHER_KEYS.some((key) => when[key] !== undefined && MATCHERS[key].isOfScenario))
    .map((rule) => ({ scenario: scenario.name, rule }));
}

function describeHidden(hidden: string, { scenario, rule }: HidingRule): Pick<HiddenScenario, "problem" | "repair"> {
  const [name, earlier] = [JSON.stringify(hidden), JSON.stringify(scenario)];
  return {
    problem: `no rule of ${name} can ever match, because ${JSON.stringify(rule.name)} of ${earlier} before it always does`,
    repair: `begin ${name} before ${earlier}, or write continue: true there`,
  };
}
