import type { ActiveScenario, Ask } from "../../domain/directive.ts";
import type { Order } from "../../domain/order.ts";

/** One matcher: one key of a `when`. What a file may say there is in `when-schema.ts`, so that rules are followed without zod. */
export interface Matcher<Value> {
  /** As it is called in a file. */
  readonly key: string;
  /** As it stands in a file. */
  readonly print: (value: Value) => unknown;
  /** Makes the test of a rule, once; `label` names the rule's draws. */
  readonly compile: (value: Value, label: string) => Test;
  /** How a request that failed the test differs, in words: `amount is 50.00, not at least 100.00`. */
  readonly difference: (value: Value, ask: Ask, active: ActiveScenario) => string;
}

export type Test = (ask: Ask, active: ActiveScenario) => boolean;

export function orderOf({ subject }: Ask): Order | undefined {
  return "order" in subject ? subject.order : undefined;
}

/** `amount is missing` where a request has no such thing, else what it is and what it is not. */
export function sayDifference(key: string, is: string | undefined, wanted: string): string {
  return is === undefined ? `${key} is missing, because this operation has none` : `${key} is ${is}, not ${wanted}`;
}

export function sayList(values: readonly string[]): string {
  return values.length > 3 ? `one of ${values.length}` : values.join(" or ");
}
