import type { ActiveScenario } from "./active-scenario.ts";
import { type BoundMatcher, type CompiledRule, rulesFor } from "./compile.ts";
import { EFFECT_KEYS, type EffectKey, EFFECTS, type Effects } from "./effects.ts";
import { explainMiss } from "./explain-miss.ts";
import { counterOf, takes } from "./matchers/counting.ts";
import { type FiredRule, NO_DECISION, type RuleDecision } from "./rule-decision.ts";
import type { RuleRequest } from "./rule-request.ts";

/** Evaluates the rules of every active scenario, and names the nearest one that did not fire. */
export function evaluateAndExplain(active: readonly ActiveScenario[], request: RuleRequest): RuleDecision {
  const decision = evaluateRules(active, request);
  const missed = explainMiss(active, request, decision);
  const { fired, effects, counters } = decision;
  return missed === undefined ? decision : { fired, effects, counters, missed };
}

/** What the rules that were tried so far decided. */
interface Draft {
  readonly fired: FiredRule[];
  effects: Effects;
  readonly counters: string[];
}

/** Tries rule after rule; the first that fires without `continue` ends it. */
export function evaluateRules(active: readonly ActiveScenario[], request: RuleRequest): RuleDecision {
  let draft: Draft | undefined;
  for (const running of active) {
    const rules = rulesFor(running.scenario, request);
    for (const compiled of rules) {
      if (!reaches(compiled, running, request)) continue;
      draft ??= { fired: [], effects: NO_DECISION.effects, counters: [] };
      if (!counts(compiled, request, draft) || !isMeant(compiled, running, request)) continue;
      fire(compiled, running, draft);
      if (!compiled.rule.continue) return draft;
    }
  }
  return draft ?? NO_DECISION;
}

/** Whether the rule is switched on, and counts the request or would fire for it. */
function reaches({ rule, matchers, counted = matchers }: CompiledRule, running: ActiveScenario, request: RuleRequest): boolean {
  return holds(counted, running, request) && (running.off.length === 0 || !running.off.includes(rule.name));
}

/** Whether a request that was counted is also one that the rule is about. */
function isMeant({ counted, matchers }: CompiledRule, running: ActiveScenario, request: RuleRequest): boolean {
  return counted === undefined || holds(matchers, running, request);
}

function holds(matchers: readonly BoundMatcher[], running: ActiveScenario, request: RuleRequest): boolean {
  for (const { test } of matchers) {
    if (!test(request, running)) return false;
  }
  return true;
}

/** Counts the request, whether or not the rule takes it. */
function counts({ count, label }: CompiledRule, request: RuleRequest, draft: Draft): boolean {
  if (count === undefined) return true;
  const counter = counterOf(count, label, request);
  if (counter === undefined) return false;
  draft.counters.push(counter);
  return takes(count, request.counted(counter) + 1);
}

function fire({ rule }: CompiledRule, { scenario, since }: ActiveScenario, draft: Draft): void {
  const effects = draft.fired.length === 0 ? rule.then : newEffects(rule.then, scenario.name, draft);
  draft.effects = draft.fired.length === 0 ? effects : { ...effects, ...draft.effects };
  draft.fired.push({ scenario: scenario.name, rule: rule.name, since, effects });
}

/** What a later rule adds: an effect that is already set wins. */
function newEffects(then: Effects, scenario: string, { fired }: Draft): Effects {
  const isSet = (key: EffectKey): boolean =>
    fired.some((earlier) => earlier.effects[key] !== undefined && (earlier.scenario === scenario || EFFECTS[key].isOfScenario !== true));
  return EFFECT_KEYS.reduce<Effects>((added, key) => (isSet(key) ? added : { ...added, ...pick(then, key) }), {});
}

function pick(effects: Effects, key: EffectKey): Effects {
  return effects[key] === undefined ? {} : { [key]: effects[key] };
}
