import type { Application, PlacedOrder, Shown } from "../../application/application.ts";
import type { Kes } from "../../../gateway/domain/kes.ts";
import type { RehearsalEnvironment } from "../rehearsal-environment.ts";

/** The state of a running rehearsal. */
export interface RunState {
  environment: RehearsalEnvironment;
  /** The values of placeholders so far. */
  readonly values: Map<string, unknown>;
  readonly clock: "real" | "scaled" | "manual";
  /** What `changed_by` probes found before the first step. */
  readonly baselines: Map<object, unknown>;
  /** The application as described by its app map, if there is one. */
  readonly application?: Application;
  /** The orders placed so far. */
  readonly orders: OrderUnderTest[];
  /** Whether the application has ever been reachable. */
  reached: boolean;
}

export interface OrderUnderTest {
  readonly placed: PlacedOrder;
  /** The customer's balance before the order. */
  readonly balanceBefore: Shown<Kes>;
}

export type StepResult = { readonly is: "done" } | { readonly is: "failed"; readonly seen: string };

export const DONE: StepResult = { is: "done" };

export function failedStep(seen: string): StepResult {
  return { is: "failed", seen };
}
