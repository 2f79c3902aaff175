import type { LabelledRandom } from "../../domain/draws.ts";
import type { Instant } from "../../domain/time.ts";
import type { ActiveScenario } from "../../scenario/active-scenario.ts";
import type { GatewaySettings } from "../../settings/gateway.ts";

/** What a decision may look at besides the account's state. */
export interface Moment {
  readonly at: Instant;
  readonly gateway: GatewaySettings;
  readonly random: LabelledRandom;
  /** Transactions that may have something still to come. */
  readonly maxUnresolved: number;
  /** A scenario that is asked first, before those that are active. */
  readonly played?: ActiveScenario;
  /** The request's own headers. */
  readonly header: (name: string) => string | undefined;
}
