import type { Carrier } from "../domain/carrier.ts";
import { NO_MONEY } from "../domain/kes.ts";
import type { AccountSettings } from "../domain/settings.ts";
import type { Instant } from "../domain/time.ts";
import type { Wallet } from "../domain/wallet.ts";
import type { ClockState } from "./clock.ts";
import type { Opened, SenderIdDecided, SenderIdSubmitted } from "./events.ts";
import type { Transaction } from "./transaction.ts";

/** What an account is at one point of its journal: a fold over the events up to there. Only `apply` changes it. */
export interface AccountState {
  /** As they are now; a reset goes back to the balance and the sender IDs that they name. */
  settings: AccountSettings;
  readonly seed: number;
  readonly openedAt: Instant;
  clock: ClockState;
  /** When the last event happened. */
  latest: Instant;
  wallet: Wallet;
  readonly transactions: Map<string, Transaction>;
  /** How many transactions have something still to come. */
  unresolved: number;
  /** How many requests there were, whatever they were answered. */
  requests: number;
  /** How often each content was asked for, by its key. */
  readonly contents: Map<number, number>;
  /** Until when an equal airtime request is a duplicate, by content key, oldest first. */
  readonly repeatable: Map<number, Instant>;
  /** The carriers that a sender ID is registered with. */
  readonly senderIds: Map<string, ReadonlySet<Carrier>>;
  readonly registrations: Map<string, Registration>;
  /** The window of the rate limit that is running. */
  window: { readonly from: Instant; readonly requests: number };
}

/** One submission of a sender ID. */
export interface Registration {
  readonly submitted: SenderIdSubmitted;
  readonly decided?: SenderIdDecided;
}

export function openState(opened: Opened): AccountState {
  return {
    settings: opened.settings,
    seed: opened.seed,
    openedAt: opened.at,
    clock: opened.clock,
    latest: opened.at,
    wallet: { balance: opened.settings.balance, held: NO_MONEY },
    transactions: new Map(),
    unresolved: 0,
    requests: 0,
    contents: new Map(),
    repeatable: new Map(),
    senderIds: new Map(opened.settings.senderIds.map(({ senderId, carriers }) => [senderId, new Set(carriers)])),
    registrations: new Map(),
    window: { from: opened.at, requests: 0 },
  };
}
