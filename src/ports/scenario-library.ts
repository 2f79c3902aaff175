import type { Scenario } from "../scenario/schema.ts";

/** The scenarios that come with the package. */
export interface ScenarioLibrary {
  /** In alphabetical order. */
  names(): readonly string[];
  find(name: string): Scenario | undefined;
  /** The file as it is shipped, with its comments. */
  text(name: string): string | undefined;
}
