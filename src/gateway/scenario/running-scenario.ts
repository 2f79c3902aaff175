import type { CallbackUrl } from "../domain/callback-outcome.ts";
import type { RateLimit, SenderIdGrant } from "../settings/account.ts";
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
  /** What it replaced, to be restored when it ends. */
  readonly before?: SettingsBefore;
}

/** The settings of an account before a scenario changed them; null where there was none. */
export interface SettingsBefore {
  readonly airtime?: CallbackUrl | null;
  readonly sms?: CallbackUrl | null;
  readonly rate_limit?: RateLimit | null;
  readonly sender_ids?: readonly SenderIdGrant[];
}
