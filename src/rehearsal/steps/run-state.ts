import type { Application, PlacedOrder, Shown } from "../../application/application.ts";
import type { Kes } from "../../domain/kes.ts";
import type { RehearsalEnvironment } from "../rehearsal-environment.ts";

/** A rehearsal as far as it has come. */
export interface RunState {
  environment: RehearsalEnvironment;
  /** What placeholders stand for so far. */
  readonly values: Map<string, unknown>;
  readonly clock: "real" | "scaled" | "manual";
  /** What probes of a change found before the first step. */
  readonly baselines: Map<object, unknown>;
  /** The application by its map, where there is one. */
  readonly application?: Application;
  /** The orders placed so far. */
  readonly orders: OrderUnderTest[];
  /** Whether the application has ever been there. */
  reached: boolean;
}

export interface OrderUnderTest {
  readonly placed: PlacedOrder;
  /** What the customer had before it. */
  readonly balanceBefore: Shown<Kes>;
}

export type StepResult = { readonly is: "done" } | { readonly is: "failed"; readonly seen: string };

export const DONE: StepResult = { is: "done" };

export function failedStep(seen: string): StepResult {
  return { is: "failed", seen };
}
