import type * as z from "zod";
import type { Carrier } from "../domain/carrier.ts";
import type { RunningScenario } from "../scenario/running-scenario.ts";
import type { Immutable } from "../domain/immutable.ts";
import { NO_MONEY, type Wallet } from "../domain/kes.ts";
import type { AccountSettings, Overlay, SenderIdGrant } from "../settings/account-settings.ts";
import type { Instant } from "../domain/time.ts";
import type { ClockState } from "../settings/clock.ts";
import type { outage, registration } from "./account-event.ts";
import type { AccountSetup, Opened } from "./events.ts";
import type { Transaction } from "./transaction.ts";

/** An account's state at one point of its journal: a fold over the events so far. Changed only by `apply`. */
export interface AccountState {
  /** The account's own settings. `inForce` says what holds while scenarios run. A reset restores the balance. */
  settings: AccountSettings;
  readonly seed: number;
  readonly openedAt: Instant;
  /** The rehearsal in progress, until the account starts over. */
  readonly rehearsal?: string;
  /** What a reset restores during a rehearsal. */
  readonly before?: AccountSetup;
  clock: ClockState;
  /** The time of the last event. */
  latest: Instant;
  wallet: Wallet;
  readonly transactions: Map<string, Transaction>;
  /** The number of transactions with a result or a callback still to come. */
  pending: number;
  /** The number of requests, whatever their response. */
  requests: number;
  /** The number of requests for each content key. */
  readonly contents: Map<number, number>;
  /** Until when an identical airtime request counts as a duplicate, by content key, oldest first. */
  readonly repeatable: Map<number, Instant>;
  /** The account's own sender IDs: those of its settings, and what carriers approved since. */
  senderIds: readonly SenderIdGrant[];
  readonly registrations: Map<string, Registration>;
  /** The current window of the rate limit. */
  window: { readonly from: Instant; readonly requests: number };
  /** Highest priority first. */
  scenarios: readonly RunningScenario[];
  /** The counters of the scenarios' rules, least recently incremented first. */
  readonly counters: Map<string, number>;
  /** The timeline steps carried out so far, with the last time of each. */
  stepped: readonly { readonly scenario: string; readonly step: number; readonly at: Instant }[];
  /** What timelines have taken away and not yet restored. */
  outages: readonly Outage[];
  /** The number of settled transactions. */
  settlements: number;
  /** The number of transactions that never settle by themselves. They are not pending. */
  stuck: number;
  /** Transactions with a callback that is waiting for later ones to go first. */
  readonly reordered: Set<string>;
}

export type Outage = Immutable<z.output<typeof outage>>;

export type Registration = Immutable<z.output<typeof registration>>;

export function openState(opened: Opened): AccountState {
  return {
    settings: opened.settings,
    seed: opened.seed,
    openedAt: opened.at,
    rehearsal: opened.rehearsal,
    before: opened.before,
    clock: opened.clock,
    latest: opened.at,
    wallet: { balance: opened.settings.balance, held: NO_MONEY },
    transactions: new Map(),
    pending: 0,
    requests: 0,
    contents: new Map(),
    repeatable: new Map(),
    senderIds: opened.settings.sender_ids,
    registrations: new Map(),
    window: { from: opened.at, requests: 0 },
    scenarios: [],
    counters: new Map(),
    stepped: [],
    outages: [],
    settlements: 0,
    stuck: 0,
    reordered: new Set(),
  };
}

/** Returns the settings in force: the account's own under what scenarios set. The scenario that started last wins. */
export function inForce({ settings, senderIds, scenarios }: AccountState): AccountSettings {
  const known = laid.get(scenarios);
  if (known?.settings === settings && known.senderIds === senderIds) return known.inForce;
  const made = inOrderOfStart(scenarios).reduce<AccountSettings>(
    (below, { overlay }) => (overlay === undefined ? below : lay(overlay, below)),
    { ...settings, sender_ids: senderIds },
  );
  laid.set(scenarios, { settings, senderIds, inForce: made });
  return made;
}

interface Laid extends Pick<AccountState, "settings" | "senderIds"> {
  readonly inForce: AccountSettings;
}

/** By the list of scenarios, for a request asks several times, and attempts share their headers while the settings are the same object. */
const laid = new WeakMap<AccountState["scenarios"], Laid>();

/** Returns the carriers that a sender ID is registered with now. */
export function carriersOf(state: AccountState, senderId: string): readonly Carrier[] {
  return inForce(state).sender_ids.find(({ sender_id: known }) => known === senderId)?.carriers ?? [];
}

/** Scenarios that started at one moment keep their order. */
export function inOrderOfStart(scenarios: readonly RunningScenario[]): readonly RunningScenario[] {
  return scenarios.toSorted((one, other) => one.since - other.since);
}

function lay({ urls, rate_limit, sender_ids }: Overlay, below: AccountSettings): AccountSettings {
  return {
    ...below,
    callbacks: urls ? { ...below.callbacks, urls: { ...below.callbacks.urls, ...urls } } : below.callbacks,
    rate_limit: rate_limit === undefined ? below.rate_limit : (rate_limit ?? undefined),
    sender_ids: sender_ids ?? below.sender_ids,
  };
}
