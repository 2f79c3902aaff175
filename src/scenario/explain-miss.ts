import type { ActiveScenario } from "./active-scenario.ts";
import { type BoundMatcher, type CompiledRule, rulesFor } from "./compile.ts";
import { explainCount } from "./matchers/counting.ts";
import type { Missed, RuleDecision } from "./rule-decision.ts";
import type { RuleRequest } from "./rule-request.ts";

/** How far a rule was from firing; the words come later, for the nearest one alone. */
interface Miss {
  readonly running: ActiveScenario;
  readonly compiled: CompiledRule;
  readonly differing: number;
  readonly held: number;
}

/**
 * Finds the nearest rule that was asked and did not fire: the fewest matchers differed, then the most held, then the
 * first. A rule that names other numbers in full is not near. The request must count as it did when the rules were evaluated.
 */
export function explainMiss(active: readonly ActiveScenario[], request: RuleRequest, { fired }: RuleDecision): Missed | undefined {
  let nearest: Miss | undefined;
  for (const running of active) {
    for (const compiled of rulesFor(running.scenario, request)) {
      const hasFired = fired.some(({ scenario, rule }) => scenario === running.scenario.name && rule === compiled.rule.name);
      if (hasFired && !compiled.rule.continue) return nearest && putIntoWords(nearest, request);
      if (!hasFired) nearest = nearer(nearest, { compiled, running, request });
    }
  }
  return nearest && putIntoWords(nearest, request);
}

interface Candidate {
  readonly compiled: CompiledRule;
  readonly running: ActiveScenario;
  readonly request: RuleRequest;
}

function nearer(nearest: Miss | undefined, { compiled, running, request }: Candidate): Miss {
  const failed = countFailed(compiled.matchers, running, request);
  const held = compiled.matchers.length - failed;
  // A rule whose matchers all hold is off, or its counter did not take the request: one thing differs.
  const differing = Math.max(1, failed);
  const isNearer = nearest === undefined || differing < nearest.differing || (differing === nearest.differing && held > nearest.held);
  return isNearer ? { running, compiled, differing, held } : nearest;
}

function countFailed(matchers: readonly BoundMatcher[], running: ActiveScenario, request: RuleRequest): number {
  let failed = 0;
  for (const { test } of matchers) {
    if (!test(request, running)) failed += 1;
  }
  return failed;
}

function putIntoWords({ running, compiled }: Miss, request: RuleRequest): Missed {
  const { rule, matchers } = compiled;
  const failed = matchers.find(({ test }) => !test(request, running));
  const miss =
    failed === undefined ? missOf(compiled, running, request) : { matcher: failed.key, difference: failed.difference(request, running) };
  return { scenario: running.scenario.name, rule: rule.name, matcher: miss.matcher, difference: miss.difference };
}

/** Why a rule did not fire whose matchers all hold. */
function missOf(compiled: CompiledRule, running: ActiveScenario, request: RuleRequest): Pick<Missed, "matcher" | "difference"> {
  if (running.off.includes(compiled.rule.name)) return { matcher: "rule", difference: "the rule is switched off" };
  const { count = {}, label } = compiled;
  return explainCount(count, label, request);
}
