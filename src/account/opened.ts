import type { ActiveScenario } from "../domain/directive.ts";
import type { AccountSettings } from "../domain/settings.ts";
import type { Instant } from "../domain/time.ts";
import type { ClockState } from "./clock.ts";

/** The account begins, or begins again: whatever was before it is gone. */
export interface Opened {
  readonly kind: "opened";
  readonly at: Instant;
  readonly settings: AccountSettings;
  readonly seed: number;
  readonly clock: ClockState;
  /** The rehearsal that it begins for. */
  readonly rehearsal?: string;
  /** What the rehearsal took the place of, to which a reset goes back. */
  readonly before?: Before;
}

/** What an account is set to and runs, apart from what happens to it. */
export interface Before {
  readonly settings: AccountSettings;
  readonly scenarios: readonly ActiveScenario[];
}
