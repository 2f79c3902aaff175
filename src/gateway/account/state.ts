import { urlsFrom } from "../domain/callback-outcome.ts";
import type { Carrier } from "../domain/carrier.ts";
import type { RunningScenario } from "../scenario/running-scenario.ts";
import type { Writable } from "../domain/immutable.ts";
import { NO_MONEY } from "../domain/kes.ts";
import type { AccountSettings, Overlay } from "../settings/account-settings.ts";
import type { Instant } from "../domain/time.ts";
import type { Snapshot } from "./account-event.ts";
import type { Opened } from "./events.ts";
import type { Transaction } from "./transaction.ts";

/** What a snapshot writes as lists. */
type Mapped = "transactions" | "contents" | "repeatable" | "registrations" | "counters" | "scheduled" | "reordered";

/** An account's state at one point of its journal: a fold over the events so far. Changed only by `apply`. */
export interface AccountState extends Omit<Writable<Snapshot["state"]>, Mapped> {
  readonly transactions: Map<string, Transaction>;
  /** The number of requests for each content key. */
  readonly contents: Map<number, number>;
  /** Until when an identical airtime request counts as a duplicate, by content key, oldest first. */
  readonly repeatable: Map<number, Instant>;
  readonly registrations: Map<string, Registration>;
  /** The counters of scenarios, least recently incremented first. */
  readonly counters: Map<string, number>;
  /** The numbers of the events that scheduled the active scenarios' timelines. */
  scheduled: ReadonlyMap<string, number>;
  /** Transactions with a callback that is waiting for later ones to go first. */
  readonly reordered: Set<string>;
}

export type Stepped = AccountState["stepped"][number];

export type Registration = Snapshot["state"]["registrations"][number];

export function initialState(opened: Opened): AccountState {
  return {
    settings: opened.settings,
    seed: opened.seed,
    openedAt: opened.at,
    rehearsal: opened.rehearsal,
    before: opened.before,
    clock: opened.clock,
    latest: opened.at,
    events: 1,
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
    scheduled: new Map(),
    starts: 0,
    seeds: {},
    settlements: 0,
    stuck: 0,
    reordered: new Set(),
  };
}

/** An account's own settings under what its scenarios set. */
export interface SettingsInForce extends AccountSettings, Pick<Overlay, "ported" | "carrier" | "sender_id"> {
  /** The start of the scenario that has set the rate limit; undefined if it is the account's own. */
  readonly limitedBy?: number;
  /** The scenario that has revoked the credentials. */
  readonly revokedBy?: string;
}

/** Returns the settings in force: the account's own under the overlays of the scenarios. The scenario that started last wins. */
export function settingsInForce({ settings, senderIds, scenarios }: AccountState): SettingsInForce {
  const known = settingsCache.get(scenarios);
  if (known?.settings === settings && known.senderIds === senderIds) return known.inForce;
  const own = { ...settings, sender_ids: senderIds };
  const inOrder = inOrderOfStart(scenarios);
  const made = { ...withoutRevoked(inOrder.reduce<SettingsInForce>(withOverlay, own)), ...credentialsSetBy(inOrder) };
  settingsCache.set(scenarios, { settings, senderIds, inForce: made });
  return made;
}

interface CachedSettings extends Pick<AccountState, "settings" | "senderIds"> {
  readonly inForce: SettingsInForce;
}

/** By the list of scenarios, for a request asks several times, and attempts share their headers while the settings are the same object. */
const settingsCache = new WeakMap<AccountState["scenarios"], CachedSettings>();

/** Returns the carriers that a sender ID is registered with now. */
export function carriersOf(state: AccountState, senderId: string): readonly Carrier[] {
  return settingsInForce(state).sender_ids.find(({ sender_id: known }) => known === senderId)?.carriers ?? [];
}

/** Returns whether a sender ID is currently usable with at least one carrier. */
export function isRegistered(state: AccountState, senderId: string): boolean {
  return carriersOf(state, senderId).length > 0;
}

export function isCarrierDown(state: AccountState, carrier: Carrier): boolean {
  return settingsInForce(state).carrier?.[carrier] === "down";
}

export function inOrderOfStart(scenarios: readonly RunningScenario[]): readonly RunningScenario[] {
  return scenarios.toSorted((one, other) => one.start - other.start);
}

function withOverlay(below: SettingsInForce, { start, registered = [], overlay }: RunningScenario): SettingsInForce {
  const { urls: set = {}, rate_limit: limit, sender_ids, ported, sender_id, carrier } = overlay;
  const urls = urlsFrom((key) => (registered.includes(key) ? undefined : set[key]) ?? below.callbacks.urls[key]);
  return {
    ...below,
    callbacks: { ...below.callbacks, urls },
    ...(limit !== undefined && { rate_limit: limit ?? undefined, limitedBy: start }),
    ...(ported && { ported: { ...below.ported, ...ported } }),
    carrier: { ...below.carrier, ...carrier },
    sender_ids: sender_ids ?? below.sender_ids,
    sender_id: sender_ids ? { ...sender_id } : { ...below.sender_id, ...sender_id },
  };
}

/** Returns what scenarios make of the credentials: the one that started last wins. A revocation leaves a secret rotated by another in its place. */
function credentialsSetBy(inOrder: readonly RunningScenario[]): Partial<SettingsInForce> {
  return inOrder.reduce<Partial<SettingsInForce>>((below, { scenario: { name }, overlay: { credentials: set } }) => {
    if (set === undefined) return below;
    if (set === "restored") return {};
    return set === "revoked" ? { ...below, revokedBy: name } : { consumer_secret: set.secret, any_secret: false };
  }, {});
}

function withoutRevoked({ sender_ids, sender_id: said = {}, ...settings }: SettingsInForce): SettingsInForce {
  return { ...settings, sender_ids: sender_ids.filter(({ sender_id: id }) => said[id] !== "revoked") };
}
