import { DEFAULT_SCENARIO } from "./active-scenario.ts";
import { coversWhen, MATCHER_KEYS, MATCHERS } from "./matchers.ts";
import type { Rule, Scenario } from "./schema.ts";

export interface ShadowedRule {
  /** The index of the rule. */
  readonly rule: number;
  /** The name of the rule that takes all its requests. */
  readonly by: string;
}

/** Finds rules that can never match, because an earlier rule without `continue` matches the same requests. */
export function findShadowed(scenario: Scenario): ShadowedRule[] {
  const { rules } = scenario;
  const decisive = new Set(findDecisive(scenario));
  return rules.flatMap(({ when }, index) => {
    const earlier = rules.slice(0, index).find((rule) => decisive.has(rule) && coversWhen(rule.when, when));
    return earlier === undefined ? [] : [{ rule: index, by: earlier.name }];
  });
}

export interface HiddenScenario {
  /** The index of the scenario. */
  readonly scenario: number;
  readonly problem: string;
  readonly repair: string;
}

/** The parts of a running scenario that can hide another one: its rules that are switched on. */
export type RunningRules = Pick<Scenario, "name" | "rules" | "timeline">;

/**
 * Finds scenarios whose rules can never match, because rules of higher-priority scenarios match the same requests. Ignores the default
 * scenario, which always has the lowest priority and is not expected to match behind a catch-all rule.
 */
export function findHidden(scenarios: readonly RunningRules[]): HiddenScenario[] {
  return scenarios.flatMap((hidden, place) => {
    if (hidden.name === DEFAULT_SCENARIO) return [];
    const rules = scenarios.slice(0, place).flatMap(findLasting);
    const hidingOf = ({ when }: Rule): HidingRule | undefined => rules.find(({ rule }) => coversWhen(rule.when, when));
    const [first] = hidden.rules.slice(0, 1).map(hidingOf);
    // Runs at every startup, so it stops at the first rule that may match.
    if (first === undefined || !hidden.rules.every((rule) => hidingOf(rule) !== undefined)) return [];
    return [{ scenario: place, ...describeHidden(hidden.name, first) }];
  });
}

/** Finds scenarios whose seed has no effect, because a scenario with higher priority already fixes the run. */
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
        repair: `start ${name} before ${earlier}, or remove one of the two seeds`,
      },
    ];
  });
}

type SeededScenario = Pick<Scenario, "name" | "seed">;

function fixesRun({ seed }: SeededScenario): boolean {
  return seed !== undefined;
}

/** Returns the rules that end the evaluation for the requests they match. */
function findDecisive({ rules, timeline }: RunningRules): Rule[] {
  const switched = timeline.flatMap(({ do: action }) => Object.keys(action.rule ?? {}));
  return rules.filter((rule) => !rule.continue && !switched.includes(rule.name));
}

interface HidingRule {
  readonly scenario: string;
  readonly rule: Rule;
}

/** Each scenario has its own state and time, so rules that depend on them cannot be compared across scenarios. */
function findLasting(scenario: RunningRules): HidingRule[] {
  return findDecisive(scenario)
    .filter(({ when }) => !MATCHER_KEYS.some((key) => when[key] !== undefined && MATCHERS[key].isOfScenario))
    .map((rule) => ({ scenario: scenario.name, rule }));
}

function describeHidden(hidden: string, { scenario, rule }: HidingRule): Pick<HiddenScenario, "problem" | "repair"> {
  const [name, earlier] = [JSON.stringify(hidden), JSON.stringify(scenario)];
  return {
    problem: `no rule of ${name} can ever match, because ${JSON.stringify(rule.name)} of ${earlier} before it always does`,
    repair: `start ${name} before ${earlier}, or write continue: true there`,
  };
}
