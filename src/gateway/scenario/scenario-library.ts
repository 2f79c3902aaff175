import type { Scenario } from "./schema.ts";

/** The scenarios shipped with the package. */
export interface ScenarioLibrary {
  /** In alphabetical order. */
  names(): readonly string[];
  find(name: string): Scenario | undefined;
  /** The shipped file with its comments. */
  text(name: string): string | undefined;
}
