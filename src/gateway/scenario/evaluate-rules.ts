import { MATCHER_KEYS, type MatcherKey, type Matchers, MATCHERS, type MatcherValue } from "./matchers.ts";
import { type CountCondition, isCounting } from "./matchers/counters.ts";
import { OPERATIONS, type RuleOperation, type Test } from "./matchers/matcher.ts";
import { ORDERS } from "./matchers/operation.ts";
import type { RuleRequest, ScenarioProgress } from "./rule-request.ts";
import { readScenario } from "./read-scenario.ts";
import type { Rule, Scenario } from "./schema.ts";
import type { RunningScenario } from "./running-scenario.ts";
import {
  EFFECT_KEYS,
  type EffectKey,
  EFFECTS,
  type Effects,
  type FiredRule,
  type RuleDecision,
  type NearMiss,
} from "./effects.ts";
import { counterOf, takes, explainCount } from "./matchers/counting.ts";

/** Evaluates the rules of every active scenario, and names the closest rule that did not fire. */
export function evaluateAndExplain(active: readonly RunningScenario[], request: RuleRequest): RuleDecision {
  const { fired, effects, counters } = evaluateRules(active, request);
  return { fired, effects, counters, missed: explainMiss(active, request, fired) };
}

/** The decision of the rules tried so far. */
interface Draft {
  readonly fired: FiredRule[];
  effects: Effects;
  readonly counters: string[];
}

/** Tries the rules in order until one fires without `continue`. */
export function evaluateRules(active: readonly RunningScenario[], request: RuleRequest): RuleDecision {
  const draft: Draft = { fired: [], effects: {}, counters: [] };
  for (const running of active) {
    for (const compiled of rulesFor(running.scenario, request)) {
      if (!reaches(compiled, running, request)) continue;
      if (!counts(compiled, request, draft) || !isMeant(compiled, running, request)) continue;
      fire(compiled, running, draft);
      if (!compiled.rule.continue) return draft;
    }
  }
  return draft;
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
  fired: RuleDecision["fired"],
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

/** A compiled scenario. For each request, it returns only the rules for its operation and number. */
type CompiledScenario = Readonly<Record<RuleOperation, RulesByNumber>>;

interface RulesByNumber {
  /** The rules for numbers that at least one rule names in full. */
  readonly named: ReadonlyMap<string, readonly CompiledRule[]>;
  /** The rules for all other numbers. */
  readonly others: readonly CompiledRule[];
}

interface CompiledRule {
  readonly rule: Rule;
  /** `scenario/rule`: the prefix of its counters and draws. */
  readonly label: string;
  /** In the order of testing. */
  readonly matchers: readonly BoundMatcher[];
  readonly count: CountCondition | undefined;
  /** The matchers of the requests to count, if those differ from the rule's own. */
  readonly counted: readonly BoundMatcher[] | undefined;
}

/** A matcher bound to the value in a rule. */
interface BoundMatcher {
  readonly key: string;
  readonly test: Test;
  readonly difference: (request: RuleRequest, progress: ScenarioProgress) => string;
}

const compiled = new WeakMap<Scenario, CompiledScenario>();

/** Compiles a scenario once and caches the result. */
function compileScenario(scenario: Scenario): CompiledScenario {
  const known = compiled.get(scenario);
  if (known !== undefined) return known;
  const rules = readScenario(scenario).rules.map((rule) => compileRule(rule, `${scenario.name}/${rule.name}`));
  const [airtime, sms, details] = OPERATIONS;
  const made = { [airtime]: index(rules, airtime), [sms]: index(rules, sms), [details]: index(rules, details) };
  compiled.set(scenario, made);
  return made;
}

/** Returns the rules that may match a request, in order. */
function rulesFor(scenario: Scenario, { subject }: RuleRequest): readonly CompiledRule[] {
  const { named, others } = compileScenario(scenario)[subject.operation];
  return "order" in subject ? (named.get(subject.order.phoneNumber) ?? others) : others;
}

/** Compiles one rule. */
function compileRule(rule: Rule, label: string): CompiledRule {
  const { when } = rule;
  return {
    rule,
    label,
    matchers: [...bindAll({ operation: ORDERS, ...when }, label), ...bindNot(when.not, label)],
    count: isCounting(when) ? when : undefined,
    counted: when.of && bindAll({ operation: ORDERS, ...when.of }, `${label} of`),
  };
}

function bindAll(matchers: Matchers, label: string): BoundMatcher[] {
  return MATCHER_KEYS.flatMap((key) => bind(key, matchers[key], label));
}

/** Excludes requests that match everything under `not`. */
function bindNot(not: Matchers | undefined, label: string): BoundMatcher[] {
  if (not === undefined) return [];
  const matchers = bindAll(not, `${label} not`);
  const keys = matchers.map(({ key }) => key).join(" and ");
  return [
    {
      key: "not",
      test: (request, progress) => !matchers.every(({ test }) => test(request, progress)),
      difference: () => `its ${keys} ${matchers.length === 1 ? "is" : "are"} excluded by \`not\``,
    },
  ];
}

function bind<Key extends MatcherKey>(key: Key, value: MatcherValue<Key> | undefined, label: string): BoundMatcher[] {
  if (value === undefined) return [];
  const matcher = MATCHERS[key];
  return [
    {
      key: matcher.key,
      test: matcher.compile(value, label),
      difference: (request, progress) => matcher.difference(value, request, progress),
    },
  ];
}

function index(all: readonly CompiledRule[], operation: keyof CompiledScenario): RulesByNumber {
  const rules = all.filter(({ rule }) => operationsOf(rule).includes(operation));
  const numbersOf = new Map(rules.map((compiled) => [compiled, fullNumbers(compiled.rule)]));
  const others: CompiledRule[] = [];
  const named = new Map<string, CompiledRule[]>();
  for (const numbers of numbersOf.values()) for (const number of numbers ?? []) named.set(number, []);
  for (const [compiled, numbers] of numbersOf) {
    if (numbers === undefined) others.push(compiled);
    for (const number of numbers ?? named.keys()) named.get(number)?.push(compiled);
  }
  return { named, others };
}

/** Returns the operations that a rule matches or counts. */
function operationsOf({ when: { operation = ORDERS, of } }: Rule): readonly RuleOperation[] {
  return of === undefined ? operation : [...operation, ...(of.operation ?? ORDERS)];
}

/** Returns the numbers of a rule that names each number in full and counts no other requests. */
function fullNumbers({ when }: Rule): ReadonlySet<string> | undefined {
  const { phone_number: patterns, of } = when;
  return of !== undefined || patterns === undefined || patterns.some((pattern) => pattern.includes("*"))
    ? undefined
    : new Set(patterns);
}
