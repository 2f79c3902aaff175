import type { Carrier } from "./carrier.ts";
import type { Draws } from "./draws.ts";
import type { Kes } from "./kes.ts";
import type { Order } from "./order.ts";
import type { Effects, Scenario } from "./scenario.ts";
import type { Instant } from "./time.ts";
import type { SmsMeasure } from "./sms-parts.ts";

/** A scenario as it runs on an account. Of several, the earlier one is asked first. */
export interface ActiveScenario {
  readonly scenario: Scenario;
  /** When its time began, on the account's clock. */
  readonly since: Instant;
  /** Names of the rules that are switched off. */
  readonly off: readonly string[];
  /** The named state it is in. */
  readonly state?: string;
  /** Loaded by this machine's owner: the callback URLs of its setup may name public hosts. */
  readonly trusted?: boolean;
}

/** A valid request, as rules see it. */
export interface Ask {
  readonly at: Instant;
  readonly subject: { readonly operation: "account-details" } | Subject;
  /** What is available before it. */
  readonly available: Kes;
  readonly draws: Draws;
  readonly header: (name: string) => string | undefined;
  /** How often a counter counted so far; 0 for one that is not known. */
  readonly counted: (counter: string) => number;
}

/** An order with what was found out about it. */
export interface Subject {
  readonly operation: Order["operation"];
  readonly order: Order;
  readonly carrier: Carrier;
  readonly measure?: SmsMeasure;
}

/** What the rules together decide for one request. */
export interface Directive {
  /** The rules that fired, in order; each adds the effects that no earlier one has set. */
  readonly fired: readonly Fired[];
  readonly effects: Effects;
  /**
   * The counters of the rules that the request reached and otherwise matched: each counts one more, whether or not its rule
   * fired. Their names begin with the scenario's and a slash, so that they end with it.
   */
  readonly counters: readonly string[];
  /** The nearest rule that was asked and did not fire; rules that name other numbers in full are never near. */
  readonly missed?: Missed;
}

export interface Fired {
  readonly scenario: string;
  readonly rule: string;
  /** When the scenario's time began: `holdUntil` counts from there. */
  readonly since: Instant;
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

/** Decides what becomes of a request: asks every rule of every active scenario in order. Pure. */
export type Director = (active: readonly ActiveScenario[], ask: Ask) => Directive;

/** The directive of nobody. */
export const UNDIRECTED: Directive = { fired: [], effects: {}, counters: [] };
