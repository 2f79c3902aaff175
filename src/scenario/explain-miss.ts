import type { ActiveScenario, Ask, Directive, Missed } from "../domain/directive.ts";
import { type BoundMatcher, type CompiledRule, rulesFor } from "./compile.ts";
import { counterOf, sayCounting, takes } from "./matchers/counting.ts";

/** How far a rule was from firing; the words come later, for the nearest one alone. */
interface Miss {
  readonly running: ActiveScenario;
  readonly compiled: CompiledRule;
  readonly differing: number;
  readonly held: number;
}

/**
 * Finds the nearest rule that was asked and did not fire: the fewest matchers differed, then the most held, then the
 * first. A rule that names other numbers in full is not near. `ask` must count as it did for the director.
 */
export function explainMiss(active: readonly ActiveScenario[], ask: Ask, { fired }: Directive): Missed | undefined {
  let nearest: Miss | undefined;
  for (const running of active) {
    for (const compiled of rulesFor(running.scenario, ask)) {
      const hasFired = fired.some(({ scenario, rule }) => scenario === running.scenario.name && rule === compiled.rule.name);
      if (hasFired && !compiled.rule.continue) return nearest && putIntoWords(nearest, ask);
      if (!hasFired) nearest = nearer(nearest, { compiled, running, ask });
    }
  }
  return nearest && putIntoWords(nearest, ask);
}

interface Candidate {
  readonly compiled: CompiledRule;
  readonly running: ActiveScenario;
  readonly ask: Ask;
}

function nearer(nearest: Miss | undefined, { compiled, running, ask }: Candidate): Miss {
  const failed = countFailed(compiled.matchers, running, ask);
  const held = compiled.matchers.length - failed;
  // A rule whose matchers all hold is off, or its counter did not take the request: one thing differs.
  const differing = Math.max(1, failed);
  const isNearer = nearest === undefined || differing < nearest.differing || (differing === nearest.differing && held > nearest.held);
  return isNearer ? { running, compiled, differing, held } : nearest;
}

function countFailed(matchers: readonly BoundMatcher[], running: ActiveScenario, ask: Ask): number {
  let failed = 0;
  for (const { test } of matchers) {
    if (!test(ask, running)) failed += 1;
  }
  return failed;
}

function putIntoWords({ running, compiled }: Miss, ask: Ask): Missed {
  const { rule, matchers } = compiled;
  const failed = matchers.find(({ test }) => !test(ask, running));
  const miss = failed === undefined ? missOf(compiled, running, ask) : { matcher: failed.key, difference: failed.difference(ask, running) };
  return { scenario: running.scenario.name, rule: rule.name, matcher: miss.matcher, difference: miss.difference };
}

/** Why a rule did not fire whose matchers all hold. */
function missOf(compiled: CompiledRule, running: ActiveScenario, ask: Ask): Pick<Missed, "matcher" | "difference"> {
  if (running.off.includes(compiled.rule.name)) return { matcher: "rule", difference: "the rule is switched off" };
  return differenceInCount(compiled, ask);
}

function differenceInCount({ count, label }: CompiledRule, ask: Ask): Pick<Missed, "matcher" | "difference"> {
  const counter = count && counterOf(count, label, ask);
  if (count === undefined || counter === undefined)
    return { matcher: "per", difference: `${count?.per ?? "account"} is missing, because this operation has none` };
  const reached = ask.counted(counter) + 1;
  const [matcher = "first"] = Object.entries(count).flatMap(([key, value]) =>
    key !== "per" && !takes({ per: "account", [key]: value }, reached) ? [key] : [],
  );
  return {
    matcher,
    difference: `this is number ${reached} for the rule${count.per === "account" ? "" : ` and this ${count.per}`}, not ${sayCounting(count)}`,
  };
}
