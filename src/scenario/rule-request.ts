import type { Carrier } from "../domain/carrier.ts";
import type { Draws } from "../domain/draws.ts";
import type { Kes } from "../domain/kes.ts";
import type { Order } from "../domain/order.ts";
import type { SmsMeasure } from "../domain/sms-parts.ts";
import type { Instant } from "../domain/time.ts";

/** A valid request, as rules see it. */
export interface RuleRequest {
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

/** The named state that every scenario begins in. */
export const INITIAL_STATE = "start";

/** How far a running scenario is, as matchers see it. */
export interface ScenarioProgress {
  /** When it started, on the account's clock. */
  readonly since: Instant;
  /** The named state it is in, once it has left the first one. */
  readonly state?: string;
}
