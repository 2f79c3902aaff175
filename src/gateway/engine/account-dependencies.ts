import type { Random } from "../domain/draws.ts";
import type { CallbackTransport } from "../ports/callback-transport.ts";
import type { JournalStore } from "../ports/journal-store.ts";
import type { WallClock } from "../ports/wall-clock.ts";
import type { GatewaySettings } from "../settings/gateway.ts";
import type { JournalBounds } from "./journal-compactor.ts";

/** What all accounts of a sandbox share. */
export interface AccountDependencies {
  readonly gateway: GatewaySettings;
  readonly bounds: JournalBounds;
  /** The most rules in the active scenarios of an account. */
  readonly maxRules: number;
  readonly store: JournalStore;
  readonly wall: WallClock;
  readonly random: Random;
  readonly transport: CallbackTransport;
  /** Called with errors that no caller is waiting for. */
  readonly report: (fault: unknown) => void;
}
