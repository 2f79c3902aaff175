import type * as z from "zod";
import type { Endpoint, Order } from "../../domain/order.ts";
import { type Comparison, comparisonOf, compileComparison, describeComparison } from "./comparison.ts";
import type { RuleRequest, ScenarioProgress } from "./rule-request.ts";
import { oneOrMore } from "../../document/values.ts";

/** One matcher: a key of `when` with its schema, its description and its behaviour. */
export interface Matcher<Key extends string, Value, Written = unknown> {
  /** Its key in a file. */
  readonly key: Key;
  /** One sentence, for editors and the table of matchers. */
  readonly summary: string;
  readonly schema: z.ZodType<Value, Written>;
  /** The operations whose requests have this property. Defaults to all of them. */
  readonly operations?: readonly Endpoint[];
  /** Compiles the test of a rule once; `label` is the prefix of the rule's draws. */
  readonly compile: (value: Value, label: string) => Test;
  /** Describes how a request that failed the test differs: `amount is 50.00, not at least 100.00`. */
  readonly difference: (value: Value, request: RuleRequest, progress: ScenarioProgress) => string;
}

export type Test = (request: RuleRequest, progress: ScenarioProgress) => boolean;

export function orderOf({ subject }: RuleRequest): Order | undefined {
  return "order" in subject ? subject.order : undefined;
}

/** Describes a difference, or says that the request has no such property. */
export function describeMismatch(key: string, is: string | undefined, wanted: string): string {
  return is === undefined ? `${key} is missing, because this operation has none` : `${key} is ${is}, not ${wanted}`;
}

/** What a matcher says of itself, and the value that it reads of a request; undefined if a request has no such property. */
interface Declaration<Key extends string, Value, Written> extends Pick<
  Matcher<Key, Value>,
  "key" | "summary" | "operations"
> {
  readonly schema: z.ZodType<Value, Written>;
  readonly read: (request: RuleRequest) => Value | undefined;
}

/** Creates a matcher with a list of allowed values. */
export function listMatcher<Key extends string, Value extends string, Written>({
  schema,
  read,
  ...about
}: Declaration<Key, Value, Written>): Matcher<Key, readonly Value[], Written | readonly Written[]> {
  return {
    ...about,
    schema: oneOrMore(schema),
    compile: (values) => (request) => {
      const is = read(request);
      return is !== undefined && values.includes(is);
    },
    difference: (values, request) => describeMismatch(about.key, read(request), describeList(values)),
  };
}

/** Creates a matcher that compares a number of the request. */
export function comparisonMatcher<Key extends string, Written>({
  schema,
  read,
  describe,
  ...about
}: Declaration<Key, number, Written> & { readonly describe: (number: number) => string }) {
  return {
    ...about,
    schema: comparisonOf(schema),
    compile: (comparison) => {
      const holds = compileComparison(comparison);
      return (request) => {
        const is = read(request);
        return is !== undefined && holds(is);
      };
    },
    difference: (comparison, request) => {
      const is = read(request);
      const wanted = describeComparison(comparison, describe);
      return describeMismatch(about.key, is === undefined ? undefined : describe(is), wanted);
    },
  } satisfies Matcher<Key, Comparison>;
}

export function describeList(values: readonly string[]): string {
  return values.length > 3 ? `one of ${values.length}` : values.join(" or ");
}
