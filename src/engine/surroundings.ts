import type { Director } from "../domain/directive.ts";
import type { GatewaySettings } from "../domain/settings.ts";
import type { CallbackTransport } from "../ports/callback-transport.ts";
import type { JournalStore, Reading } from "../ports/journal-store.ts";
import type { Random } from "../ports/random.ts";
import type { WallClock } from "../ports/wall-clock.ts";
import type { Account } from "./account.ts";
import type { JournalBounds } from "./retention.ts";

/** What every account of a sandbox shares. */
export interface Surroundings {
  readonly gateway: GatewaySettings;
  readonly bounds: JournalBounds;
  readonly store: JournalStore;
  readonly wall: WallClock;
  readonly random: Random;
  readonly transport: CallbackTransport;
  /** Asks the rules of scenarios; without one, no rule ever fires. */
  readonly director?: Director;
  /** Told of each account that was opened or goes on, before anything happens to it, and of the journal that it goes on with. */
  readonly accompany?: (account: Account, kept: Reading | undefined) => void;
  /** Told of faults that nobody waits for. */
  readonly report: (fault: unknown) => void;
}

/** A journal that an earlier process left. */
export interface Kept {
  readonly consumerKey: string;
  readonly kept: Reading;
}
