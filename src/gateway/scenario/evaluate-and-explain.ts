import type { CompiledRule } from "./compile-rules.ts";
import type { NearMiss, RuleDecision } from "./effects.ts";
import { evaluateRules } from "./evaluate-rules.ts";
import { explainCount } from "./matchers/counting.ts";
import type { RuleRequest } from "./matchers/rule-request.ts";
import type { RunningScenario } from "./running-scenario.ts";

/** Evaluates the rules of every active scenario, and names the closest rule that did not fire. */
export function evaluateAndExplain(active: readonly RunningScenario[], request: RuleRequest): RuleDecision {
  let nearest: Miss | undefined;
  const { fired, effects, counters } = evaluateRules(active, request, (running, compiled) => {
    const miss = measureMiss(running, compiled, request);
    if (nearest === undefined || isCloser(miss, nearest)) nearest = miss;
  });
  return { fired, effects, counters, missed: nearest && putIntoWords(nearest, request) };
}

/** How close a rule came to firing. The explanation is written later, for the closest rule only. */
interface Miss {
  readonly running: RunningScenario;
  readonly compiled: CompiledRule;
  /** The number of its matchers that held, and of its conditions that did not. */
  readonly held: number;
  readonly differing: number;
}

/** The counters must be those at the time of the evaluation. Rules that name other numbers in full are never tried. */
function measureMiss(running: RunningScenario, compiled: CompiledRule, request: RuleRequest): Miss {
  const { matchers } = compiled;
  let held = 0;
  for (const { test } of matchers) {
    if (test(request, running)) held += 1;
  }
  // If all matchers hold, the rule is off or its counter did not take the request: one difference.
  return { running, compiled, held, differing: Math.max(1, matchers.length - held) };
}

/** Of two rules, the closer one is that with fewer differences, then that with more matchers that held, then the first. */
function isCloser(miss: Miss, than: Miss): boolean {
  return miss.differing < than.differing || (miss.differing === than.differing && miss.held > than.held);
}

function putIntoWords({ running, compiled }: Miss, request: RuleRequest): NearMiss {
  const { rule, matchers, count = {}, label } = compiled;
  const missed = { scenario: running.scenario.name, rule: rule.name };
  const failed = matchers.find(({ test }) => !test(request, running));
  if (failed !== undefined) return { ...missed, matcher: failed.key, difference: failed.difference(request, running) };
  if (running.off.includes(rule.name)) return { ...missed, matcher: "rule", difference: "the rule is switched off" };
  return { ...missed, ...explainCount(count, label, request) };
}
