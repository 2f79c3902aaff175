import type { AccountEvent } from "../account/events.ts";
import { NO_MONEY } from "../domain/kes.ts";
import type { AccountSettings } from "../domain/settings.ts";
import { Account } from "./account.ts";
import { ControlProblem } from "./control-problem.ts";
import type { Kept, Surroundings } from "./surroundings.ts";

/** What a world begins with. */
export interface WorldBeginning {
  readonly seed?: number | undefined;
  /** Journals that an earlier process left. */
  readonly kept?: readonly Kept[];
}

/** Told of everything that happens in a sandbox. */
export type Witness = (account: Account, event: AccountEvent, number: number) => void;

/** The name of the journal for requests that belong to no account; a colon cannot be in a consumer key (RFC 7617 section 2). */
const SANDBOX_JOURNAL = ":sandbox";

/** All accounts of one sandbox. The first one that is opened is the default. */
export class World {
  /** The journal for requests that belong to no account. */
  readonly sandbox: Account;
  readonly #surroundings: Surroundings;
  readonly #accounts = new Map<string, Account>();
  readonly #witnesses = new Set<Witness>();
  /** What earlier processes left, and nobody has gone on with. */
  readonly #kept: Map<string, Kept>;
  #opened = 0;

  constructor(surroundings: Surroundings, { seed, kept = [] }: WorldBeginning) {
    this.#surroundings = surroundings;
    const sandbox = kept.find(({ consumerKey }) => consumerKey === SANDBOX_JOURNAL);
    this.sandbox = this.#begin(sandbox ?? { ...NOBODY, ...(seed === undefined ? {} : { seed }) });
    this.#kept = new Map(kept.filter((one) => one !== sandbox).map((one) => [one.consumerKey, one]));
  }

  /** Goes on with an account that an earlier process left, if there is one of this consumer key and it is not here yet. */
  resume(consumerKey: string): Account | undefined {
    const kept = this.#kept.get(consumerKey);
    if (kept === undefined) return undefined;
    this.#kept.delete(consumerKey);
    return this.#add(kept);
  }

  /** Goes on with all that are left, in the order in which they began; answers how many there were. */
  resumeAll(): number {
    const keys = [...this.#kept.keys()];
    for (const key of keys) this.resume(key);
    return keys.length;
  }

  /** Lets go on what earlier processes left. */
  wake(): void {
    for (const account of [...this.list(), this.sandbox]) account.wake();
  }

  /** When all that was decided so far is as safe as the store makes it; nothing where it is. */
  secured(): Promise<void> | undefined {
    return this.#surroundings.store.secured();
  }

  /** Opens an account. Throws a `ControlProblem` 409 when its consumer key is taken. */
  open(settings: AccountSettings): Account {
    const { consumerKey } = settings;
    if (this.#accounts.has(consumerKey))
      throw new ControlProblem(
        409,
        `an account with the consumer key ${consumerKey} is there already`,
        "choose another key, or leave it out to get a new one",
      );
    return this.#add(settings);
  }

  /** How many accounts were ever opened. */
  get opened(): number {
    return this.#opened;
  }

  find(consumerKey: string): Account | undefined {
    return this.#accounts.get(consumerKey);
  }

  /** The account of a consumer key, or of the word `default`. Throws a `ControlProblem` 404. */
  get(name: string): Account {
    const account = this.#accounts.get(name) ?? (name === "default" ? this.list()[0] : undefined);
    if (account === undefined) throw new ControlProblem(404, `no account has the consumer key ${name}`, "GET /__admin/accounts lists them");
    return account;
  }

  list(): Account[] {
    return [...this.#accounts.values()];
  }

  /** Forgets an account; what it had under way is abandoned. */
  async drop(account: Account): Promise<void> {
    this.#accounts.delete(account.consumerKey);
    await account.drop();
  }

  /** An id that no account's seed decides. */
  freshId(): string {
    return this.#surroundings.random.freshId();
  }

  observe(witness: Witness): () => void {
    this.#witnesses.add(witness);
    return () => void this.#witnesses.delete(witness);
  }

  /** Stops every account; answers how many transactions had something still to come. */
  close(): number {
    const accounts = [...this.list(), this.sandbox];
    for (const account of accounts) account.close();
    return accounts.reduce((left, { state }) => left + state.unresolved, 0);
  }

  #add(start: AccountSettings | Kept): Account {
    const account = this.#begin(start);
    this.#accounts.set(account.consumerKey, account);
    this.#opened += 1;
    return account;
  }

  #begin(start: AccountSettings | Kept): Account {
    const account = new Account(start, this.#surroundings);
    account.observe((event, number) => this.#tell(account, event, number));
    this.#surroundings.accompany?.(account, "kept" in start ? start.kept : undefined);
    return account;
  }

  #tell(account: Account, event: AccountEvent, number: number): void {
    for (const witness of this.#witnesses) witness(account, event, number);
  }
}

const NOBODY: AccountSettings = {
  consumerKey: SANDBOX_JOURNAL,
  consumerSecret: "",
  anySecret: false,
  balance: NO_MONEY,
  clock: { mode: "real" },
  callbacks: { urls: {}, timeout: 3_000, concurrency: 1, retry: { attempts: 1, spacing: [], on: [] }, headers: {}, insecure: false },
  senderIds: [],
  organization: { name: "", location: "", website: "", officeEmail: "", officeMobile: "", topUpCode: "", accounts: [] },
};
