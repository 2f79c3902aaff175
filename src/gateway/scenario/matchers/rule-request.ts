import type { Carrier } from "../../domain/carrier.ts";
import type { Draws } from "../../domain/draws.ts";
import type { Kes } from "../../domain/kes.ts";
import type { Order } from "../../domain/order.ts";
import type { Instant } from "../../domain/time.ts";

/** A valid request in the form that rules match against. */
export interface RuleRequest {
  readonly at: Instant;
  readonly subject: { readonly operation: "account-details" } | Subject;
  /** The available balance before the request. */
  readonly available: Kes;
  readonly draws: Draws;
  /** Returns the current count of a counter; 0 for an unknown one. */
  readonly counted: (counter: string) => number;
}

/** An order with its derived properties. */
export interface Subject {
  readonly operation: Order["operation"];
  readonly order: Order;
  readonly carrier: Carrier;
}

/** The progress of a running scenario, as matchers see it. */
export interface ScenarioProgress {
  readonly since: Instant;
}
