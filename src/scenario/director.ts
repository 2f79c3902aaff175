import { type ActiveScenario, type Ask, type Director, type Directive, type Fired, UNDIRECTED } from "../domain/directive.ts";
import type { Effects } from "../domain/scenario.ts";
import { type CompiledRule, rulesFor } from "./compile.ts";
import { EFFECT_KEYS, type EffectKey } from "./effect-keys.ts";
import { explainMiss } from "./explain-miss.ts";
import { counterOf, takes } from "./matchers/counting.ts";

/** What the rules that were asked so far decided. */
interface Draft {
  readonly fired: Fired[];
  effects: Effects;
  readonly counters: string[];
}

export interface DirectorOptions {
  /** Names the nearest rule that did not fire, which asks every rule a second time. Default true. */
  readonly explain?: boolean;
}

/** Makes the director that follows the rules of scenarios. */
export function createDirector({ explain = true }: DirectorOptions = {}): Director {
  return explain ? directAndExplain : direct;
}

function directAndExplain(active: readonly ActiveScenario[], ask: Ask): Directive {
  const directive = direct(active, ask);
  const missed = explainMiss(active, ask, directive);
  const { fired, effects, counters } = directive;
  return missed === undefined ? directive : { fired, effects, counters, missed };
}

/** Asks rule after rule; the first that fires without `continue` ends it. */
function direct(active: readonly ActiveScenario[], ask: Ask): Directive {
  let draft: Draft | undefined;
  for (const running of active) {
    const rules = rulesFor(running.scenario, ask);
    for (const compiled of rules) {
      if (!reaches(compiled, running, ask)) continue;
      draft ??= { fired: [], effects: UNDIRECTED.effects, counters: [] };
      if (!counts(compiled, ask, draft)) continue;
      fire(compiled, running, draft);
      if (!compiled.rule.continue) return draft;
    }
  }
  return draft ?? UNDIRECTED;
}

/** Whether the rule is switched on and all but its counters hold. */
function reaches({ rule, matchers }: CompiledRule, running: ActiveScenario, ask: Ask): boolean {
  for (const { test } of matchers) {
    if (!test(ask, running)) return false;
  }
  return running.off.length === 0 || !running.off.includes(rule.name);
}

/** Counts the request, whether or not the rule takes it. */
function counts({ count, label }: CompiledRule, ask: Ask, draft: Draft): boolean {
  if (count === undefined) return true;
  const counter = counterOf(count, label, ask);
  if (counter === undefined) return false;
  draft.counters.push(counter);
  return takes(count, ask.counted(counter) + 1);
}

function fire({ rule }: CompiledRule, { scenario, since }: ActiveScenario, draft: Draft): void {
  const effects = draft.fired.length === 0 ? rule.then : newEffects(rule.then, scenario.name, draft);
  draft.effects = draft.fired.length === 0 ? effects : { ...effects, ...draft.effects };
  draft.fired.push({ scenario: scenario.name, rule: rule.name, since, effects });
}

/** What a later rule adds. Each scenario has its own state, so only a rule of the same one stands in the way of `enter`. */
function newEffects(then: Effects, scenario: string, { fired, effects }: Draft): Effects {
  const entered = fired.some((earlier) => earlier.scenario === scenario && earlier.effects.enter !== undefined);
  return EFFECT_KEYS.reduce<Effects>(
    (added, key) => ((key === "enter" ? !entered : effects[key] === undefined) ? { ...added, ...pick(then, key) } : added),
    {},
  );
}

function pick(effects: Effects, key: EffectKey): Effects {
  return effects[key] === undefined ? {} : { [key]: effects[key] };
}
