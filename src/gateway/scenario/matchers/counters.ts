// Does not import zod, because the dashboard bundles this file.
/** The keys of a `when` that count the requests which reach a rule and match the rest of its `when`. */
export const COUNTERS = ["first", "nth", "every", "after"] as const;

/** Selects requests by their number among those that reach the rule. */
export interface CountCondition {
  readonly first?: number;
  readonly nth?: number;
  readonly every?: number;
  readonly after?: number;
  readonly per?: "account" | "phone_number" | "sender_id";
}

/** Returns whether a `when` counts. */
export function isCounting(when: CountCondition): boolean {
  return COUNTERS.some((counter) => when[counter] !== undefined);
}
