import type { ActiveScenario, Ask } from "../domain/directive.ts";
import type { Counting, Rule, Scenario } from "../domain/scenario.ts";
import { type EveryMatcher, MATCHER_KEYS, type MatcherKey, MATCHERS } from "./matchers.ts";
import type { Test } from "./matchers/matcher.ts";
import { OPERATIONS, ORDERS } from "./matchers/request.ts";

/** A scenario made ready to be asked: each request sees only the rules that are about its operation and its number. */
export type CompiledScenario = Readonly<Record<Ask["subject"]["operation"], RulesByNumber>>;

interface RulesByNumber {
  /** The rules for a number that at least one rule names in full. */
  readonly named: ReadonlyMap<string, readonly CompiledRule[]>;
  /** The rules for all other numbers. */
  readonly others: readonly CompiledRule[];
}

export interface CompiledRule {
  readonly rule: Rule;
  /** `scenario/rule`: names its counters and its draws. */
  readonly label: string;
  /** In the order they are tried; the operation is tried before. */
  readonly matchers: readonly BoundMatcher[];
  readonly count: Counting | undefined;
}

/** A matcher with the value that a rule gives it. */
export interface BoundMatcher {
  readonly key: string;
  readonly test: Test;
  readonly difference: (ask: Ask, active: ActiveScenario) => string;
}

const compiled = new WeakMap<Scenario, CompiledScenario>();

/** Compiles a scenario once, however often it is asked for. */
function compileScenario(scenario: Scenario): CompiledScenario {
  const known = compiled.get(scenario);
  if (known !== undefined) return known;
  const rules = scenario.rules.map((rule) => compileRule(rule, `${scenario.name}/${rule.name}`));
  const [airtime, sms, details] = OPERATIONS;
  const made = { [airtime]: index(rules, airtime), [sms]: index(rules, sms), [details]: index(rules, details) };
  compiled.set(scenario, made);
  return made;
}

/** The rules that may be about a request, in order. */
export function rulesFor(scenario: Scenario, { subject }: Ask): readonly CompiledRule[] {
  const { named, others } = compileScenario(scenario)[subject.operation];
  return "order" in subject ? (named.get(subject.order.phoneNumber) ?? others) : others;
}

/** Every rule of a scenario, in order. */
function compileRule(rule: Rule, label: string): CompiledRule {
  const matchers = MATCHER_KEYS.filter((key) => key !== "operation").flatMap((key) => bind(key, rule.when[key], label));
  return { rule, label, matchers, count: rule.when.count };
}

function bind<Key extends MatcherKey>(key: Key, value: EveryMatcher[Key] | undefined, label: string): BoundMatcher[] {
  if (value === undefined) return [];
  const matcher = MATCHERS[key];
  return [{ key: matcher.key, test: matcher.compile(value, label), difference: (ask, active) => matcher.difference(value, ask, active) }];
}

function index(all: readonly CompiledRule[], operation: keyof CompiledScenario): RulesByNumber {
  const rules = all.filter(({ rule }) => (rule.when.operation ?? ORDERS).includes(operation));
  const full = new Map(rules.map((compiled) => [compiled, fullNumbers(compiled.rule)]));
  const numbers = new Set([...full.values()].flatMap((named) => [...(named ?? [])]));
  const others = rules.filter((compiled) => full.get(compiled) === undefined);
  const named = new Map([...numbers].map((number) => [number, rules.filter((compiled) => full.get(compiled)?.has(number) ?? true)]));
  return { named, others };
}

/** The numbers of a rule that names each of its numbers in full. */
function fullNumbers({ when }: Rule): ReadonlySet<string> | undefined {
  const { phoneNumber } = when;
  return phoneNumber === undefined || phoneNumber.some((pattern) => pattern.includes("*")) ? undefined : new Set(phoneNumber);
}
