import type { RunningScenario } from "./running-scenario.ts";
import { type BoundMatcher, type CompiledRule, rulesFor } from "./compile.ts";
import {
  EFFECT_KEYS,
  type EffectKey,
  EFFECTS,
  type Effects,
  type FiredRule,
  NO_DECISION,
  type RuleDecision,
  type NearMiss,
} from "./effects.ts";
import { counterOf, takes, explainCount } from "./matchers/counting.ts";
import type { RuleRequest } from "./rule-request.ts";

/** Evaluates the rules of every active scenario, and names the closest rule that did not fire. */
export function evaluateAndExplain(active: readonly RunningScenario[], request: RuleRequest): RuleDecision {
  const decision = evaluateRules(active, request);
  const missed = explainMiss(active, request, decision);
  const { fired, effects, counters } = decision;
  return missed === undefined ? decision : { fired, effects, counters, missed };
}

/** The decision of the rules tried so far. */
interface Draft {
  readonly fired: FiredRule[];
  effects: Effects;
  readonly counters: string[];
}

/** Tries the rules in order until one fires without `continue`. */
export function evaluateRules(active: readonly RunningScenario[], request: RuleRequest): RuleDecision {
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
  return takes(count, request.counted(counter) + 1);
}

function fire({ rule }: CompiledRule, { scenario, since }: RunningScenario, draft: Draft): void {
  const effects = newEffects(rule.then, scenario.name, draft);
  draft.effects = { ...effects, ...draft.effects };
  draft.fired.push({ scenario: scenario.name, rule: rule.name, since, effects });
}

/** Returns the effects that a later rule adds. An effect that is already set wins. */
function newEffects(then: Effects, scenario: string, { fired }: Draft): Effects {
  const isSet = (key: EffectKey): boolean =>
    fired.some(
      (earlier) =>
        earlier.effects[key] !== undefined && (earlier.scenario === scenario || EFFECTS[key].isOfScenario !== true),
    );
  return EFFECT_KEYS.reduce<Effects>((added, key) => (isSet(key) ? added : { ...added, ...pick(then, key) }), {});
}

function pick(effects: Effects, key: EffectKey): Effects {
  return effects[key] === undefined ? {} : { [key]: effects[key] };
}

/** How close a rule came to firing. The explanation is written later, for the closest rule only. */
interface Miss {
  readonly running: RunningScenario;
  readonly compiled: CompiledRule;
  readonly differing: number;
  readonly held: number;
}

/**
 * Finds the closest rule that did not fire: the one with the fewest matchers that differed, then the most that held, then the first. Rules
 * that name other numbers in full are not considered. The counters must be those at the time of the evaluation.
 */
export function explainMiss(
  active: readonly RunningScenario[],
  request: RuleRequest,
  { fired }: RuleDecision,
): NearMiss | undefined {
  let nearest: Miss | undefined;
  for (const running of active) {
    for (const compiled of rulesFor(running.scenario, request)) {
      const hasFired = fired.some(
        ({ scenario, rule }) => scenario === running.scenario.name && rule === compiled.rule.name,
      );
      if (hasFired && !compiled.rule.continue) return nearest && putIntoWords(nearest, request);
      if (!hasFired) nearest = nearer(nearest, { compiled, running, request });
    }
  }
  return nearest && putIntoWords(nearest, request);
}

interface Candidate {
  readonly compiled: CompiledRule;
  readonly running: RunningScenario;
  readonly request: RuleRequest;
}

function nearer(nearest: Miss | undefined, { compiled, running, request }: Candidate): Miss {
  const failed = countFailed(compiled.matchers, running, request);
  const held = compiled.matchers.length - failed;
  // If all matchers hold, the rule is off or its counter did not take the request: one difference.
  const differing = Math.max(1, failed);
  const isNearer =
    nearest === undefined || differing < nearest.differing || (differing === nearest.differing && held > nearest.held);
  return isNearer ? { running, compiled, differing, held } : nearest;
}

function countFailed(matchers: readonly BoundMatcher[], running: RunningScenario, request: RuleRequest): number {
  let failed = 0;
  for (const { test } of matchers) {
    if (!test(request, running)) failed += 1;
  }
  return failed;
}

function putIntoWords({ running, compiled }: Miss, request: RuleRequest): NearMiss {
  const { rule, matchers } = compiled;
  const failed = matchers.find(({ test }) => !test(request, running));
  const miss =
    failed === undefined
      ? missOf(compiled, running, request)
      : { matcher: failed.key, difference: failed.difference(request, running) };
  return { scenario: running.scenario.name, rule: rule.name, matcher: miss.matcher, difference: miss.difference };
}

/** Explains why a rule whose matchers all hold did not fire. */
function missOf(
  compiled: CompiledRule,
  running: RunningScenario,
  request: RuleRequest,
): Pick<NearMiss, "matcher" | "difference"> {
  if (running.off.includes(compiled.rule.name)) return { matcher: "rule", difference: "the rule is switched off" };
  const { count = {}, label } = compiled;
  return explainCount(count, label, request);
}
