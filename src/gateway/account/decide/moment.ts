import type { LabelledRandom } from "../../domain/draws.ts";
import type { Instant } from "../../domain/time.ts";
import type { RunningScenario } from "../../scenario/running-scenario.ts";
import type { GatewaySettings } from "../../settings/gateway.ts";

/** Everything that a decision may depend on besides the account's state. */
export interface Moment {
  readonly at: Instant;
  readonly gateway: GatewaySettings;
  readonly random: LabelledRandom;
  /** The most transactions that may have work pending. */
  readonly maxUnresolved: number;
  /** A scenario that takes priority over the active ones. */
  readonly played?: RunningScenario;
}
