import type { Instant } from "../domain/time.ts";
import type { Effects } from "./effects.ts";

/** What the rules together decide for one request. */
export interface RuleDecision {
  /** The rules that fired, in order; each adds the effects that no earlier one has set. */
  readonly fired: readonly FiredRule[];
  readonly effects: Effects;
  /**
   * The counters of the rules that the request reached and otherwise matched: each counts one more, whether or not its rule
   * fired. Their names begin with the scenario's and a slash, so that they end with it.
   */
  readonly counters: readonly string[];
  /** The nearest rule that was asked and did not fire; rules that name other numbers in full are never near. */
  readonly missed?: Missed;
}

export interface FiredRule {
  readonly scenario: string;
  readonly rule: string;
  /** When the scenario's time began: `hold_until` counts from there. */
  readonly since: Instant;
  /** The effects that it set. */
  readonly effects: Effects;
}

export interface Missed {
  readonly scenario: string;
  readonly rule: string;
  /** The first matcher that differed, as it is called in the file. */
  readonly matcher: string;
  /** How it differed, in words: `amount is 50.00, not at least 100.00`. */
  readonly difference: string;
}

export const NO_DECISION: RuleDecision = { fired: [], effects: {}, counters: [] };
