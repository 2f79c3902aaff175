import type { Instant } from "../domain/time.ts";
import type { Scenario } from "./schema.ts";

/** The named state that every scenario begins in. */
export const INITIAL_STATE = "start";

/** The scenario that is on by default, and always asked last. */
export const DEFAULT_SCENARIO = "magic-numbers";

/** A scenario as it runs on an account. Of several, the earlier one is asked first. */
export interface ActiveScenario extends ScenarioProgress {
  readonly scenario: Scenario;
  /** Names of the rules that are switched off. */
  readonly off: readonly string[];
  /** Loaded by this machine's owner: the callback URLs of its setup may name public hosts. */
  readonly trusted?: boolean;
}

/** How far a running scenario is, as matchers see it. */
export interface ScenarioProgress {
  /** When its time began, on the account's clock. */
  readonly since: Instant;
  /** The named state it is in, once it has left the first one. */
  readonly state?: string;
}
