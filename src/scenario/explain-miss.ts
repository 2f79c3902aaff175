import type { ActiveScenario, Ask, Directive, Missed } from "../domain/directive.ts";
import { type CompiledRule, rulesFor } from "./compile.ts";
import { counterOf, sayCounting, takes } from "./matchers/counting.ts";

/** How far a rule was from firing. */
interface Miss {
  readonly differing: number;
  readonly held: number;
  readonly missed: Missed;
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
      if (hasFired && !compiled.rule.continue) return nearest?.missed;
      const miss = hasFired ? undefined : missOf(compiled, running, ask);
      if (miss !== undefined && isNearer(miss, nearest)) nearest = miss;
    }
  }
  return nearest?.missed;
}

function missOf(compiled: CompiledRule, running: ActiveScenario, ask: Ask): Miss | undefined {
  const { matchers, rule } = compiled;
  const differences = differencesOf(compiled, running, ask);
  const [first] = differences;
  if (first === undefined) return undefined;
  const missed = { scenario: running.scenario.name, rule: rule.name, ...first };
  return { differing: differences.length, held: matchers.length - differences.length, missed };
}

type Difference = Pick<Missed, "matcher" | "difference">;

function differencesOf(compiled: CompiledRule, running: ActiveScenario, ask: Ask): Difference[] {
  const failed = compiled.matchers.filter(({ test }) => !test(ask, running));
  const isOff = running.off.includes(compiled.rule.name);
  return [
    ...(isOff ? [{ matcher: "rule", difference: "the rule is switched off" }] : []),
    ...failed.map(({ key, difference }) => ({ matcher: key, difference: difference(ask, running) })),
    ...(failed.length === 0 && !isOff ? differenceInCount(compiled, ask) : []),
  ];
}

function differenceInCount({ count, label }: CompiledRule, ask: Ask): Difference[] {
  if (count === undefined) return [];
  const counter = counterOf(count, label, ask);
  if (counter === undefined) return [{ matcher: "per", difference: `${count.per} is missing, because this operation has none` }];
  const reached = ask.counted(counter) + 1;
  if (takes(count, reached)) return [];
  const [matcher = "first"] = Object.keys(count).filter((key) => key !== "per");
  return [{ matcher, difference: `this is number ${reached} for the rule, not one of ${sayCounting(count)}` }];
}

function isNearer(miss: Miss, nearest: Miss | undefined): boolean {
  if (nearest === undefined || miss.differing !== nearest.differing) return nearest === undefined || miss.differing < nearest.differing;
  return miss.held > nearest.held;
}
