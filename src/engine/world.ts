import type { AccountEvent } from "../account/events.ts";
import { NO_MONEY } from "../domain/kes.ts";
import type { AccountSettings } from "../domain/settings.ts";
import { Account, type Surroundings } from "./account.ts";
import { ControlProblem } from "./control-problem.ts";

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
  #opened = 0;

  constructor(surroundings: Surroundings, seed: number | undefined) {
    this.#surroundings = surroundings;
    this.sandbox = this.#begin({ ...NOBODY, ...(seed === undefined ? {} : { seed }) });
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
    const account = this.#begin(settings);
    this.#accounts.set(consumerKey, account);
    this.#opened += 1;
    return account;
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

  #begin(settings: AccountSettings): Account {
    const account = new Account(settings, this.#surroundings);
    account.observe((event, number) => this.#tell(account, event, number));
    this.#surroundings.accompany?.(account);
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
