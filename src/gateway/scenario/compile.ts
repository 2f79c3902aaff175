import { MATCHER_KEYS, type MatcherKey, type Matchers, MATCHERS, type MatcherValue } from "./matchers.ts";
import { type CountCondition, isCounting } from "./matchers/counters.ts";
import { OPERATIONS, type RuleOperation, type Test } from "./matchers/matcher.ts";
import { ORDERS } from "./matchers/operation.ts";
import type { RuleRequest, ScenarioProgress } from "./rule-request.ts";
import { readScenario } from "./read-scenario.ts";
import type { Rule, Scenario } from "./schema.ts";

/** A compiled scenario. For each request, it returns only the rules for its operation and number. */
export type CompiledScenario = Readonly<Record<RuleOperation, RulesByNumber>>;

interface RulesByNumber {
  /** The rules for numbers that at least one rule names in full. */
  readonly named: ReadonlyMap<string, readonly CompiledRule[]>;
  /** The rules for all other numbers. */
  readonly others: readonly CompiledRule[];
}

export interface CompiledRule {
  readonly rule: Rule;
  /** `scenario/rule`: the prefix of its counters and draws. */
  readonly label: string;
  /** In the order of testing. The operation is already filtered, except for rules that count other requests. */
  readonly matchers: readonly BoundMatcher[];
  readonly count: CountCondition | undefined;
  /** The matchers of the requests to count, if those differ from the rule's own. */
  readonly counted: readonly BoundMatcher[] | undefined;
}

/** A matcher bound to the value in a rule. */
export interface BoundMatcher {
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
export function rulesFor(scenario: Scenario, { subject }: RuleRequest): readonly CompiledRule[] {
  const { named, others } = compileScenario(scenario)[subject.operation];
  return "order" in subject ? (named.get(subject.order.phoneNumber) ?? others) : others;
}

/** Compiles one rule. */
function compileRule(rule: Rule, label: string): CompiledRule {
  const { when } = rule;
  const keys = when.of === undefined ? MATCHER_KEYS.filter((key) => key !== "operation") : MATCHER_KEYS;
  return {
    rule,
    label,
    matchers: [
      ...bindAll(when.of === undefined ? when : { operation: ORDERS, ...when }, keys, label),
      ...bindNot(when.not, label),
    ],
    count: isCounting(when) ? when : undefined,
    counted: when.of && bindAll({ operation: ORDERS, ...when.of }, MATCHER_KEYS, `${label} of`),
  };
}

function bindAll(matchers: Matchers, keys: readonly MatcherKey[], label: string): BoundMatcher[] {
  return keys.flatMap((key) => bind(key, matchers[key], label));
}

/** Excludes requests that match everything under `not`. */
function bindNot(not: Matchers | undefined, label: string): BoundMatcher[] {
  if (not === undefined) return [];
  const matchers = bindAll(not, MATCHER_KEYS, `${label} not`);
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
  const full = new Map(rules.map((compiled) => [compiled, fullNumbers(compiled.rule)]));
  const numbers = new Set([...full.values()].flatMap((named) => [...(named ?? [])]));
  const others = rules.filter((compiled) => full.get(compiled) === undefined);
  const named = new Map(
    [...numbers].map((number) => [number, rules.filter((compiled) => full.get(compiled)?.has(number) ?? true)]),
  );
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
