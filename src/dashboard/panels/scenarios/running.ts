import type { AccountState } from "../../../account/state.ts";
import type { ActiveScenario } from "../../../domain/directive.ts";
import { INITIAL_STATE, type Counting, type Rule } from "../../../domain/scenario.ts";
import type { Instant } from "../../../domain/time.ts";
import { tellAction } from "./tell-action.ts";

/** A scenario as it runs now. */
export interface Running {
  readonly name: string;
  readonly description: string;
  readonly since: Instant;
  /** The named state it is in, once it has left the first one. */
  readonly state?: string;
  readonly rules: readonly RunningRule[];
  readonly steps: readonly RunningStep[];
}

export interface RunningRule {
  readonly name: string;
  readonly isOn: boolean;
  /** Where it counts. */
  readonly counted?: Counted;
}

export interface Counted {
  readonly per: Counting["per"];
  readonly total: number;
  /** For whom, and how often: those that counted last come first. Empty where it counts for all together. */
  readonly each: readonly (readonly [subject: string, count: number])[];
}

export interface RunningStep {
  readonly at: Instant;
  readonly text: string;
  readonly isDone: boolean;
}

/** The active scenarios, in the order in which they are asked. */
export function runningScenarios(state: Pick<AccountState, "scenarios" | "counters" | "stepped">): Running[] {
  return state.scenarios.map((active) => running(active, state));
}

function running(active: ActiveScenario, { counters, stepped }: Pick<AccountState, "counters" | "stepped">): Running {
  const { scenario, since, off, state = INITIAL_STATE } = active;
  return {
    name: scenario.name,
    description: scenario.description?.trim() ?? "",
    since,
    ...(state !== INITIAL_STATE && { state }),
    rules: scenario.rules.map((rule) => ({
      name: rule.name,
      isOn: !off.includes(rule.name),
      ...countedBy(rule, `${scenario.name}/${rule.name}`, counters),
    })),
    steps: scenario.timeline.map(({ at, do: action }, index) => ({
      at: since + at,
      text: tellAction(action),
      isDone: stepped.some((done) => done.scenario === scenario.name && done.step === index),
    })),
  };
}

function countedBy({ when: { count } }: Rule, label: string, counters: AccountState["counters"]): Pick<RunningRule, "counted"> {
  if (count === undefined) return {};
  const { per } = count;
  if (per === "account") return { counted: { per, total: counters.get(label) ?? 0, each: [] } };
  const own = [...counters].filter(([counter]) => counter.startsWith(`${label}/`));
  const each = own.map(([counter, times]) => [counter.slice(label.length + 1), times] as const).toReversed();
  return { counted: { per, total: each.reduce((sum, [, times]) => sum + times, 0), each } };
}
