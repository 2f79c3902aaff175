import { type BoundMatcher, type CompiledRule, rulesFor } from "./compile-rules.ts";
import { EFFECT_KEYS, type Effects, type FiredRule, type RuleDecision } from "./effects.ts";
import { counterOf, matchesCount } from "./matchers/counting.ts";
import { readScenario } from "./read-scenario.ts";
import type { RuleRequest } from "./matchers/rule-request.ts";
import type { RunningScenario } from "./running-scenario.ts";

/** The decision of the rules tried so far. */
interface Draft {
  readonly fired: FiredRule[];
  effects: Effects;
  readonly counters: string[];
}

/** Tries the rules in order until one fires without `continue`. Calls `miss` with each that does not fire. */
export function evaluateRules(
  active: readonly RunningScenario[],
  request: RuleRequest,
  miss: (running: RunningScenario, rule: CompiledRule) => void = () => {},
): RuleDecision {
  const draft: Draft = { fired: [], effects: {}, counters: [] };
  for (const running of active) {
    for (const compiled of rulesFor(readScenario(running.scenario), request)) {
      if (!fires(compiled, running, request, draft)) miss(running, compiled);
      else if (!compiled.rule.continue) return draft;
    }
  }
  return draft;
}

/** Fires a rule if it takes the request. Returns whether it did. */
function fires(compiled: CompiledRule, running: RunningScenario, request: RuleRequest, draft: Draft): boolean {
  if (!reaches(compiled, running, request)) return false;
  if (!counts(compiled, request, draft) || !isMeant(compiled, running, request)) return false;
  fire(compiled, running, draft);
  return true;
}

/** Returns whether the rule is switched on, and counts the request or would fire for it. */
function reaches(
  { rule, matchers, counted = matchers }: CompiledRule,
  running: RunningScenario,
  request: RuleRequest,
): boolean {
  return holds(counted, running, request) && !running.off.includes(rule.name);
}

/** Returns whether the rule also matches a request that it counted. */
function isMeant({ counted, matchers }: CompiledRule, running: RunningScenario, request: RuleRequest): boolean {
  return counted === undefined || holds(matchers, running, request);
}

function holds(matchers: readonly BoundMatcher[], running: RunningScenario, request: RuleRequest): boolean {
  for (const { test } of matchers) {
    if (!test(request, running)) return false;
  }
  return true;
}

/** Counts the request, and returns whether the rule takes it. */
function counts({ count, label }: CompiledRule, request: RuleRequest, draft: Draft): boolean {
  if (count === undefined) return true;
  const counter = counterOf(count, label, request);
  if (counter === undefined) return false;
  draft.counters.push(counter);
  return matchesCount(count, request.counted(counter) + 1);
}

function fire({ rule }: CompiledRule, { scenario, since }: RunningScenario, draft: Draft): void {
  const effects = newEffects(rule.then, draft.effects);
  draft.effects = { ...effects, ...draft.effects };
  draft.fired.push({ scenario: scenario.name, rule: rule.name, since, effects });
}

/** Returns the effects that a later rule adds. An effect that is already set wins. */
function newEffects(then: Effects, set: Effects): Effects {
  const added = EFFECT_KEYS.filter((key) => then[key] !== undefined && set[key] === undefined);
  return Object.fromEntries(added.map((key) => [key, then[key]]));
}
