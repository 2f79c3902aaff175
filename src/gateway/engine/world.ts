import { closestWord } from "../document/closest-word.ts";
import type { AccountEvent } from "../account/account-event.ts";
import { NO_MONEY } from "../domain/kes.ts";
import { NotTheOwner } from "../ports/journal-store.ts";
import type { JournalSlice } from "../account/readings/journal-slice.ts";
import type { WallClock } from "../ports/wall-clock.ts";
import { seedFor } from "../settings/account.ts";
import type { AccountSettings } from "../settings/account-settings.ts";
import type { GatewaySettings } from "../settings/gateway.ts";
import { RunningAccount, type StoredAccount } from "./account.ts";
import type { AccountDependencies } from "./account-dependencies.ts";
import { EngineError } from "./engine-error.ts";

/** What a world is built with. */
interface WorldDependencies extends AccountDependencies {
  /** Called with each account that is opened or resumed, before anything happens to it, and the journal that it resumes. */
  readonly onOpened?: (account: RunningAccount, stored: JournalSlice | undefined) => void;
}

/** The initial contents of a world. */
export interface InitialWorld {
  readonly seed?: number | undefined;
  /** The accounts that an earlier process stored. */
  readonly stored?: readonly StoredAccount[];
  /** Whether replicas share the sandbox, each with some of its accounts. Then the world is empty until accounts are taken over or opened. */
  readonly isShared?: boolean;
}

/** Called with everything that happens in a sandbox. */
export type WorldObserver = (account: RunningAccount, event: AccountEvent, number: number) => void;

/** The journal of requests that belong to no account. Consumer keys cannot contain a colon (RFC 7617 section 2), so the name is unique. */
export const SANDBOX_JOURNAL = ":sandbox";

/** The most accounts named in an error message. */
const MAX_NAMED = 5;

/** All accounts of one sandbox. The first one opened is the default. */
export class World {
  #sandbox: RunningAccount | undefined;
  readonly #dependencies: WorldDependencies;
  readonly #accounts = new Map<string, RunningAccount>();
  readonly #observers = new Set<WorldObserver>();
  readonly #accountObservers = new Set<() => void>();
  /** Stored accounts that are not resumed yet. */
  readonly #stored: Map<string, StoredAccount>;
  readonly #isShared: boolean;
  #opened = 0;
  #pending = 0;
  #isAwake = false;

  constructor(dependencies: WorldDependencies, { seed, stored = [], isShared = false }: InitialWorld) {
    this.#dependencies = dependencies;
    this.#isShared = isShared;
    const sandbox = stored.find(({ consumerKey }) => consumerKey === SANDBOX_JOURNAL);
    if (sandbox !== undefined) this.#sandbox = this.#begin(sandbox);
    else if (!isShared) this.openSandbox(seed);
    this.#stored = new Map(stored.filter((one) => one !== sandbox).map((one) => [one.consumerKey, one]));
  }

  /** The journal of requests that belong to no account. Throws `NotTheOwner` if another replica owns it. */
  get sandbox(): RunningAccount {
    if (this.#sandbox === undefined) throw new NotTheOwner(SANDBOX_JOURNAL);
    return this.#sandbox;
  }

  /** Opens the journal of requests that belong to no account. */
  openSandbox(seed: number | undefined): void {
    this.#sandbox = this.#begin({ ...UNKNOWN_KEYS_LOG, seed: seedFor(SANDBOX_JOURNAL, seed) });
  }

  get wall(): WallClock {
    return this.#dependencies.wall;
  }

  /** The settings of the gateway, also for what belongs to no account. */
  get gateway(): GatewaySettings {
    return this.#dependencies.gateway;
  }

  /** Takes over an account that another process ran. */
  takeOver(stored: StoredAccount): void {
    const account = stored.consumerKey === SANDBOX_JOURNAL ? (this.#sandbox = this.#begin(stored)) : this.#add(stored);
    if (this.#isAwake) account.wake(this.#isShared);
  }

  /** Finds an account, or the one of requests that belong to none. */
  running(consumerKey: string): RunningAccount | undefined {
    return consumerKey === SANDBOX_JOURNAL ? this.#sandbox : this.find(consumerKey);
  }

  /** Closes an account whose journal another replica continues. Resolves when its clients have their responses. */
  async release(consumerKey: string): Promise<void> {
    const account = this.running(consumerKey);
    if (account === undefined) return;
    if (account === this.#sandbox) this.#sandbox = undefined;
    this.#accounts.delete(consumerKey);
    account.pendingCalls.rejectAll();
    await account.close();
  }

  /** Resumes a stored account, if there is one with this key that is not yet resumed. */
  resume(consumerKey: string): RunningAccount | undefined {
    const stored = this.#stored.get(consumerKey);
    if (stored === undefined) return undefined;
    this.#stored.delete(consumerKey);
    return this.#add(stored);
  }

  /** Resumes all remaining stored accounts in the order in which they were created. */
  resumeAll(): void {
    for (const key of this.#stored.keys()) this.resume(key);
  }

  /** Resumes the work that earlier processes left. */
  wake(): void {
    this.#isAwake = true;
    for (const account of this.#all()) account.wake(this.#isShared);
  }

  /** Opens an account. Throws an `EngineError` (conflict) if its consumer key is taken. */
  open(settings: AccountSettings): RunningAccount {
    const { consumer_key: consumerKey } = settings;
    if (this.#accounts.has(consumerKey)) throw duplicateKeyError(consumerKey);
    return this.#add(settings);
  }

  /** The number of transactions, over all accounts, with work still pending. */
  get pending(): number {
    return this.#pending;
  }

  /** The number of accounts. */
  get size(): number {
    return this.#accounts.size;
  }

  /** The number of accounts opened so far, including dropped ones. */
  get opened(): number {
    return this.#opened;
  }

  find(consumerKey: string): RunningAccount | undefined {
    return this.#accounts.get(consumerKey);
  }

  /**
   * Returns the account with a consumer key, or the default account for `default`. Throws an `EngineError` (not found) that also suggests
   * the accounts of other replicas.
   */
  get(name: string, elsewhere: () => readonly string[] = () => []): RunningAccount {
    const account = this.#accounts.get(name) ?? (name === "default" ? this.list()[0] : undefined);
    if (account === undefined)
      throw new EngineError(
        "not-found",
        `no account has the consumer key ${name}`,
        suggestAccount(name, [...new Set([...this.#accounts.keys(), ...elsewhere()])]),
      );
    return account;
  }

  list(): RunningAccount[] {
    return [...this.#accounts.values()];
  }

  /** Returns the journals of all accounts, for another process to resume. */
  journals(): StoredAccount[] {
    return this.list().map((account) => ({ consumerKey: account.consumerKey, journal: account.journal.read() }));
  }

  /** Deletes an account and abandons its work in progress. */
  drop(account: RunningAccount): void {
    this.#accounts.delete(account.consumerKey);
    account.drop();
    this.#notifyAccountObservers();
  }

  /** Returns an id that does not depend on any account's seed. */
  freshId(): string {
    return this.#dependencies.random.freshId();
  }

  observe(observer: WorldObserver): () => void {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  }

  /** Calls `changed` whenever an account is opened or dropped. Returns a function that unsubscribes. */
  observeAccounts(changed: () => void): () => void {
    this.#accountObservers.add(changed);
    return () => void this.#accountObservers.delete(changed);
  }

  /** Closes every account. Returns the number of transactions that still had work pending. */
  close(): number {
    const accounts = this.#all();
    for (const account of accounts) void account.close();
    return accounts.reduce((left, { state }) => left + state.pending, 0);
  }

  #all(): RunningAccount[] {
    return this.#sandbox === undefined ? this.list() : [...this.list(), this.#sandbox];
  }

  #add(start: AccountSettings | StoredAccount): RunningAccount {
    const account = this.#begin(start);
    this.#accounts.set(account.consumerKey, account);
    this.#opened += 1;
    this.#notifyAccountObservers();
    return account;
  }

  #notifyAccountObservers(): void {
    for (const changed of this.#accountObservers) changed();
  }

  #begin(start: AccountSettings | StoredAccount): RunningAccount {
    const account = new RunningAccount(start, this.#dependencies);
    let counted = account.state.pending;
    this.#pending += counted;
    account.journal.observe((event, number, { pending }) => {
      this.#pending += pending - counted;
      counted = pending;
      for (const observer of this.#observers) observer(account, event, number);
    });
    account.whenClosed(() => void (this.#pending -= counted));
    this.#dependencies.onOpened?.(account, "journal" in start ? start.journal : undefined);
    return account;
  }
}

function suggestAccount(name: string, keys: readonly string[]): string {
  const meant = closestWord(name, keys);
  if (meant !== undefined) return `did you mean ${meant}?`;
  const more = keys.length > MAX_NAMED ? ` and ${keys.length - MAX_NAMED} more` : "";
  return keys.length === 0 ? "open one" : `write one of ${keys.slice(0, MAX_NAMED).join(", ")}${more}`;
}

export function duplicateKeyError(consumerKey: string): EngineError {
  const problem = `an account with the consumer key ${consumerKey} already exists`;
  return new EngineError("conflict", problem, "choose another key, or leave it out to get a new one");
}

const UNKNOWN_KEYS_LOG: AccountSettings = {
  consumer_key: SANDBOX_JOURNAL,
  consumer_secret: "",
  any_secret: false,
  balance: NO_MONEY,
  clock: { mode: "real" },
  callbacks: {
    urls: {},
    timeout: 3_000,
    concurrency: 1,
    retry: { attempts: 1, spacing: [], on: [] },
    headers: {},
    insecure: false,
  },
  sender_ids: [],
  organization: { top_up_code: "" },
};
