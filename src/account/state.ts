import type { Carrier } from "../domain/carrier.ts";
import type { ActiveScenario } from "../scenario/active-scenario.ts";
import { NO_MONEY } from "../domain/kes.ts";
import type { AccountSettings, SenderIdGrant } from "../settings/account.ts";
import type { Instant } from "../domain/time.ts";
import type { Wallet } from "../domain/wallet.ts";
import type { ClockState } from "./clock.ts";
import type { AccountSetup, Opened, SenderIdDecided, SenderIdSubmitted } from "./events.ts";
import type { Transaction } from "./transaction.ts";

/** What an account is at one point of its journal: a fold over the events up to there. Only `apply` changes it. */
export interface AccountState {
  /** As they are now; a reset goes back to the balance and the sender IDs that they name. */
  settings: AccountSettings;
  readonly seed: number;
  readonly openedAt: Instant;
  /** The rehearsal that is under way, until the account begins anew. */
  readonly rehearsal?: string;
  /** What a reset goes back to where a rehearsal is under way. */
  readonly before?: AccountSetup;
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
  senderIds: Map<string, ReadonlySet<Carrier>>;
  readonly registrations: Map<string, Registration>;
  /** The window of the rate limit that is running. */
  window: { readonly from: Instant; readonly requests: number };
  /** Of several, the earlier one is asked first. */
  scenarios: readonly ActiveScenario[];
  /** How often each counter of the scenarios' rules counted, those that counted longest ago first. */
  readonly counters: Map<string, number>;
  /** The steps of the scenarios' timelines that were carried out, with the last time of each. */
  stepped: readonly { readonly scenario: string; readonly step: number; readonly at: Instant }[];
  /** What timelines have taken away and not given back. */
  outages: readonly Outage[];
  /** How many transactions have settled. */
  settlements: number;
  /** How many transactions never settle by themselves. */
  stuck: number;
  /** Transactions with a callback that lets later ones go first. */
  readonly lettingPass: Set<string>;
}

/** Something that does not work, because a scenario says so. */
export type Outage = { readonly scenario: string } & Outaged;

export type Outaged =
  | { readonly kind: "credentials" }
  | { readonly kind: "sender-id"; readonly senderId: string }
  | { readonly kind: "carrier"; readonly carrier: Carrier };

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
    ...(opened.rehearsal !== undefined && { rehearsal: opened.rehearsal }),
    ...(opened.before !== undefined && { before: opened.before }),
    clock: opened.clock,
    latest: opened.at,
    wallet: { balance: opened.settings.balance, held: NO_MONEY },
    transactions: new Map(),
    unresolved: 0,
    requests: 0,
    contents: new Map(),
    repeatable: new Map(),
    senderIds: senderIdsOf(opened.settings.sender_ids),
    registrations: new Map(),
    window: { from: opened.at, requests: 0 },
    scenarios: [],
    counters: new Map(),
    stepped: [],
    outages: [],
    settlements: 0,
    stuck: 0,
    lettingPass: new Set(),
  };
}

export function senderIdsOf(grants: readonly SenderIdGrant[]): Map<string, ReadonlySet<Carrier>> {
  return new Map(grants.map(({ sender_id: senderId, carriers }) => [senderId, new Set(carriers)]));
}
