import type { Kes } from "../domain/kes.ts";
import type { RateLimit } from "../settings/account.ts";
import type { CallbackSettings } from "../settings/callbacks.ts";
import type { ScenarioProgress } from "./rule-request.ts";
import type { Scenario } from "./schema.ts";

/** The scenario that is on by default, and always asked last. */
export const DEFAULT_SCENARIO = "magic-numbers";

/** A scenario as it runs on an account. Of several, the earlier one is asked first. */
export interface ActiveScenario extends ScenarioProgress {
  readonly scenario: Scenario;
  /** Names of the rules that are switched off. */
  readonly off: readonly string[];
  /** Loaded by this machine's owner: the callback URLs of its setup may name public hosts. */
  readonly trusted?: boolean;
  /** What its setup replaced, which its end can put back. */
  readonly before?: SettingsBefore;
}

/** An account as it was before a setup: as much of it as the setup changed. */
export interface SettingsBefore {
  /** What could be spent. */
  readonly available?: Kes;
  readonly callbacks?: CallbackSettings["urls"];
  /** null where there was none. */
  readonly rateLimit?: RateLimit | null;
}
