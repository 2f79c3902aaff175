// Without zod, because the dashboard reads it too.
/** The keys of a `when` that count the requests which reach a rule and match the rest of its `when`. */
export const COUNTERS = ["first", "nth", "every", "after"] as const;

/** Which of the requests that reach a rule it takes, by their number. */
export interface Counting {
  readonly first?: number;
  readonly nth?: number;
  readonly every?: number;
  readonly after?: number;
  readonly per?: "account" | "phone_number" | "sender_id";
}

/** Whether a `when` counts at all. */
export function isCounting(when: Counting): boolean {
  return COUNTERS.some((counter) => when[counter] !== undefined);
}
