import { type BoundMatcher, type CompiledRule, rulesFor } from "./compile-rules.ts";
import { EFFECT_KEYS, type Effects, type FiredRule, type RuleDecision, type NearMiss } from "./effects.ts";
import { type CountCondition, COUNTERS } from "./matchers/counting.ts";
import { readScenario } from "./read-scenario.ts";
import type { RuleRequest } from "./rule-request.ts";
import type { RunningScenario } from "./running-scenario.ts";

/** Evaluates the rules of every active scenario, and names the closest rule that did not fire. */
export function evaluateAndExplain(active: readonly RunningScenario[], request: RuleRequest): RuleDecision {
  let nearest: Miss | undefined;
  const { fired, effects, counters } = evaluateRules(active, request, (running, compiled) => {
    nearest = nearer(nearest, { running, compiled, request });
  });
  return { fired, effects, counters, missed: nearest && putIntoWords(nearest, request) };
}

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
  return takes(count, request.counted(counter) + 1);
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

/** How close a rule came to firing. The explanation is written later, for the closest rule only. */
interface Miss {
  readonly running: RunningScenario;
  readonly compiled: CompiledRule;
  readonly differing: number;
  readonly held: number;
}

interface Candidate {
  readonly compiled: CompiledRule;
  readonly running: RunningScenario;
  readonly request: RuleRequest;
}

/**
 * Returns the closer of two rules that did not fire: the one with fewer matchers that differed, then with more that held, then the first.
 * Rules that name other numbers in full are not considered. The counters must be those at the time of the evaluation.
 */
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

/** Returns the counter of a request; undefined if the request lacks the key to count by. */
function counterOf({ per = "account" }: CountCondition, label: string, { subject }: RuleRequest): string | undefined {
  if (per === "account") return label;
  if (!("order" in subject)) return undefined;
  if (per === "phone_number") return `${label}/${subject.order.phoneNumber}`;
  return subject.order.operation === "sms" ? `${label}/${subject.order.senderId}` : undefined;
}

/** Returns whether a rule takes the nth request of its counter. */
function takes({ first, nth, every, after }: CountCondition, count: number): boolean {
  return (
    (first === undefined || count <= first) &&
    (nth === undefined || count === nth) &&
    (every === undefined || count % every === 0) &&
    (after === undefined || count > after)
  );
}

/** Explains why the counter did not take a request, and names the key responsible. */
function explainCount(
  counting: CountCondition,
  label: string,
  request: RuleRequest,
): { matcher: string; difference: string } {
  const { per = "account" } = counting;
  const counter = counterOf(counting, label, request);
  if (counter === undefined)
    return { matcher: "per", difference: `${per} is missing, because this operation has none` };
  const count = request.counted(counter) + 1;
  const matcher =
    COUNTERS.find((key) => counting[key] !== undefined && !takes({ [key]: counting[key] }, count)) ?? "first";
  const whose = per === "account" ? "" : ` and this ${per}`;
  return { matcher, difference: `this is number ${count} for the rule${whose}, not ${describeCounting(counting)}` };
}

/** Writes the counting keys in the syntax of a file: `first: 2`. */
function describeCounting(counting: CountCondition): string {
  return COUNTERS.flatMap((counter) =>
    counting[counter] === undefined ? [] : [`${counter}: ${counting[counter]}`],
  ).join(", ");
}
