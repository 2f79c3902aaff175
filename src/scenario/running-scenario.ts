import type { Kes } from "../domain/kes.ts";
import type { RateLimit } from "../settings/account.ts";
import type { CallbackSettings } from "../settings/callbacks.ts";
import type { ScenarioProgress } from "./rule-request.ts";
import type { Scenario } from "./schema.ts";

/** The scenario that is on by default. It always has the lowest priority. */
export const DEFAULT_SCENARIO = "magic-numbers";

/** A scenario running on an account. In a list, the highest priority comes first. */
export interface RunningScenario extends ScenarioProgress {
  /** As written in its file. */
  readonly scenario: Scenario;
  /** The names of rules that are switched off. */
  readonly off: readonly string[];
  /** Whether this machine's owner loaded it, so that its setup's callback URLs may name public hosts. */
  readonly trusted?: boolean;
  /** What its setup replaced, to be restored when the scenario ends. */
  readonly before?: SettingsBefore;
}

/** The settings of an account before a setup changed them. */
export interface SettingsBefore {
  /** The available balance. */
  readonly available?: Kes;
  readonly callbacks?: CallbackSettings["urls"];
  /** null if there was none. */
  readonly rateLimit?: RateLimit | null;
}
