import type { Stage } from "../stage.ts";

/** A rehearsal as far as it has come. */
export interface Course {
  stage: Stage;
  /** What placeholders stand for so far. */
  readonly values: Map<string, unknown>;
  readonly clock: "real" | "scaled" | "manual";
  /** Whether the application has ever been there. */
  reached: boolean;
}

export type StepEnd = { readonly is: "well" } | { readonly is: "failed"; readonly saw: string };

export const WELL: StepEnd = { is: "well" };

export function failedStep(saw: string): StepEnd {
  return { is: "failed", saw };
}
