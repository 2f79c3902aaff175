import { DEFAULT_SCENARIO, type Rule, type Scenario } from "../domain/scenario.ts";
import { covers, findDecisive } from "./find-shadowed.ts";

export interface Hidden {
  /** Its place among the scenarios. */
  readonly scenario: number;
  readonly problem: string;
  readonly repair: string;
}

/** As much of a running scenario as hides another: its rules that are switched on. */
export type Asked = Pick<Scenario, "name" | "rules" | "timeline">;

/**
 * Finds scenarios of which no rule can ever match, because rules of those asked before always match what theirs do. The default one
 * is asked last wherever it stands, and behind a rule for everything nobody waits for it.
 */
export function findHidden(scenarios: readonly Asked[]): Hidden[] {
  return scenarios.flatMap((hidden, place) => {
    if (hidden.name === DEFAULT_SCENARIO) return [];
    const rules = scenarios.slice(0, place).flatMap(findLasting);
    const hidingOf = ({ when }: Rule): Hiding | undefined => rules.find(({ rule }) => covers(rule.when, when));
    const [first] = hidden.rules.slice(0, 1).map(hidingOf);
    // At the first rule that may match nothing more is asked, because each start asks.
    if (first === undefined || !hidden.rules.every((rule) => hidingOf(rule) !== undefined)) return [];
    return [{ scenario: place, ...describe(hidden.name, first) }];
  });
}

interface Hiding {
  readonly scenario: string;
  readonly rule: Rule;
}

/** Each scenario has a state and a time of its own, so a rule that asks for one of them says nothing of another scenario. */
function findLasting(scenario: Asked): Hiding[] {
  return findDecisive(scenario)
    .filter(({ when }) => when.in === undefined && when.during === undefined)
    .map((rule) => ({ scenario: scenario.name, rule }));
}

function describe(hidden: string, { scenario, rule }: Hiding): Pick<Hidden, "problem" | "repair"> {
  const [name, earlier] = [JSON.stringify(hidden), JSON.stringify(scenario)];
  return {
    problem: `no rule of ${name} can ever match, because ${JSON.stringify(rule.name)} of ${earlier} before it always does`,
    repair: `begin ${name} before ${earlier}, or write continue: true there`,
  };
}
