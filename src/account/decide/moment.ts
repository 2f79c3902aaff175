import type { LabelledRandom } from "../../domain/draws.ts";
import type { Instant } from "../../domain/time.ts";
import type { ActiveScenario } from "../../scenario/active-scenario.ts";
import type { GatewaySettings } from "../../settings/gateway.ts";

/** Everything that a decision may depend on besides the account's state. */
export interface Moment {
  readonly at: Instant;
  readonly gateway: GatewaySettings;
  readonly random: LabelledRandom;
  /** The most transactions that may have work pending. */
  readonly maxUnresolved: number;
  /** A scenario that takes priority over the active ones. */
  readonly played?: ActiveScenario;
  /** Looks up a request header. */
  readonly header: (name: string) => string | undefined;
}
