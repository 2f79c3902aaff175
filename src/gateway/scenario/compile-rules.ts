import { MATCHER_KEYS, type MatcherKey, type Matchers, MATCHERS, type MatcherValue } from "./matchers.ts";
import { type CountCondition, isCounting } from "./matchers/counting.ts";
import type { Test } from "./matchers/matcher.ts";
import { ORDERS } from "./matchers/operation.ts";
import type { RuleRequest, ScenarioProgress } from "./matchers/rule-request.ts";
import type { ParsedScenario, Rule } from "./schema.ts";
import { type Endpoint, forEachProduct } from "../domain/order.ts";

/** A compiled scenario. For each request, it returns only the rules for its operation and number. */
type CompiledScenario = Readonly<Record<Endpoint, RulesByNumber>>;

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
  /** In the order of testing. */
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

const compiled = new WeakMap<ParsedScenario, CompiledScenario>();

/** Returns the rules that may match a request, in order. */
export function rulesFor(scenario: ParsedScenario, { subject }: RuleRequest): readonly CompiledRule[] {
  const { named, others } = (compiled.get(scenario) ?? compile(scenario))[subject.operation];
  return "order" in subject ? (named.get(subject.order.phoneNumber) ?? others) : others;
}

/** Compiles a scenario once. */
function compile(scenario: ParsedScenario): CompiledScenario {
  const rules = scenario.rules.map((rule) => compileRule(rule, `${scenario.name}/${rule.name}`));
  const made = {
    ...forEachProduct((product) => index(rules, product)),
    "account-details": index(rules, "account-details"),
  };
  compiled.set(scenario, made);
  return made;
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
function operationsOf({ when: { operation = ORDERS, of } }: Rule): readonly Endpoint[] {
  return of === undefined ? operation : [...operation, ...(of.operation ?? ORDERS)];
}

/** Returns the numbers of a rule that names each number in full and counts no other requests. */
function fullNumbers({ when }: Rule): ReadonlySet<string> | undefined {
  const { phone_number: patterns, of } = when;
  return of !== undefined || patterns === undefined || patterns.some((pattern) => pattern.includes("*"))
    ? undefined
    : new Set(patterns);
}
