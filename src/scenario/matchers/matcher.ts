import type * as z from "zod";
import type { Complaint } from "../../document/values.ts";
import type { Order } from "../../domain/order.ts";
import {
  type Comparison,
  comparisonOf,
  compileComparison,
  coversComparison,
  describeComparison,
  findEmptyRange,
  printComparison,
} from "../comparison.ts";
import type { RuleRequest, ScenarioProgress } from "../rule-request.ts";
import { oneOrMore, printOneOrMore } from "../values.ts";

/** What a request can be for. */
export const OPERATIONS = ["airtime", "sms", "account-details"] as const;
export type RuleOperation = (typeof OPERATIONS)[number];

/** One matcher: one key of a `when`, with everything the language knows about it. */
export interface Matcher<Key extends string, Value> {
  /** As it is called in a file. */
  readonly key: Key;
  /** One sentence, for editors and the table of matchers. */
  readonly summary: string;
  readonly schema: z.ZodType<Value>;
  /** The operations whose requests have it; all of them if not given. */
  readonly operations?: readonly RuleOperation[];
  /** The value that a `when` without it has. */
  readonly byDefault?: Value;
  /** Its value depends on the running scenario, so it means something else in another one. */
  readonly isOfScenario?: boolean;
  /** As it stands in a file. */
  readonly print: (value: Value) => unknown;
  /** Makes the test of a rule, once; `label` names the rule's draws. */
  readonly compile: (value: Value, label: string) => Test;
  /** How a request that failed the test differs, in words: `amount is 50.00, not at least 100.00`. */
  readonly difference: (value: Value, request: RuleRequest, progress: ScenarioProgress) => string;
  /** Whether it always matches what the narrow one matches; undefined matches everything. */
  readonly covers: (wide: Value, narrow: Value | undefined) => boolean;
  /** A warning about a value that no request can match. */
  readonly findPointless?: (value: Value) => Complaint | undefined;
}

export type Test = (request: RuleRequest, progress: ScenarioProgress) => boolean;

export function orderOf({ subject }: RuleRequest): Order | undefined {
  return "order" in subject ? subject.order : undefined;
}

/** `amount is missing` where a request has no such thing, else what it is and what it is not. */
export function describeDifference(key: string, is: string | undefined, wanted: string): string {
  return is === undefined ? `${key} is missing, because this operation has none` : `${key} is ${is}, not ${wanted}`;
}

/** What a matcher says of itself, apart from how it works. */
type About<Key extends string, Value> = Pick<Matcher<Key, Value>, "key" | "summary" | "operations" | "byDefault">;

/** A matcher that lists what a text of the request may be; `read` gives undefined where a request has no such thing. */
export function listing<Key extends string, Value extends string>(
  about: About<Key, readonly Value[]>,
  { schema, read }: { schema: z.ZodType<Value>; read: (request: RuleRequest) => Value | undefined },
): Matcher<Key, readonly Value[]> {
  return {
    ...about,
    schema: oneOrMore(schema),
    print: printOneOrMore,
    compile: (values) => (request) => {
      const is = read(request);
      return is !== undefined && values.includes(is);
    },
    difference: (values, request) => describeDifference(about.key, read(request), describeList(values)),
    covers: (wide, narrow) => narrow !== undefined && narrow.every((value) => wide.includes(value)),
  };
}

interface Compared {
  readonly schema: z.ZodType<number>;
  readonly read: (request: RuleRequest) => number | undefined;
  readonly describe: (number: number) => string;
  /** As it stands in a file. */
  readonly print: (number: number) => unknown;
}

/** A matcher that compares a number of the request. */
export function comparing<Key extends string>(
  about: About<Key, Comparison>,
  { schema, read, describe, print }: Compared,
): Matcher<Key, Comparison> {
  return {
    ...about,
    schema: comparisonOf(schema),
    print: (comparison) => printComparison(comparison, print),
    compile: (comparison) => {
      const holds = compileComparison(comparison);
      return (request) => {
        const is = read(request);
        return is !== undefined && holds(is);
      };
    },
    difference: (comparison, request) => {
      const is = read(request);
      return describeDifference(about.key, is === undefined ? undefined : describe(is), describeComparison(comparison, describe));
    },
    covers: coversComparison,
    findPointless: (comparison) => findEmptyRange(comparison, describe),
  };
}

export function describeList(values: readonly string[]): string {
  return values.length > 3 ? `one of ${values.length}` : values.join(" or ");
}
