import type { GatewaySettings } from "../settings/gateway.ts";
import type { CallbackTransport } from "../ports/callback-transport.ts";
import type { JournalSlice } from "../account/readings/journal-slice.ts";
import type { JournalStore } from "../ports/journal-store.ts";
import type { Random } from "../ports/random.ts";
import type { WallClock } from "../ports/wall-clock.ts";
import type { Account } from "./account.ts";
import type { JournalBounds } from "./journal-compactor.ts";

/** What every account of a sandbox shares. */
export interface AccountDependencies {
  readonly gateway: GatewaySettings;
  readonly bounds: JournalBounds;
  readonly store: JournalStore;
  readonly wall: WallClock;
  readonly random: Random;
  readonly transport: CallbackTransport;
  /** Called with each account that is opened or resumed, before anything happens to it, and the journal that it resumes. */
  readonly accompany?: (account: Account, stored: JournalSlice | undefined) => void;
  /** Told of faults that nobody waits for. */
  readonly report: (fault: unknown) => void;
}

/** The journal of an account that an earlier process ran. */
export interface StoredAccount {
  readonly consumerKey: string;
  readonly journal: JournalSlice;
}
