import { CLIENT_PATIENCE } from "../../gateway/account/event-guards.ts";
import { messageOf } from "../../gateway/domain/message-of.ts";
import type { Millis } from "../../gateway/domain/time.ts";
import type { AccountOwnership, Owner, Replica, ReplicaStatus, WaitingAccount } from "../journal/account-ownership.ts";
import type { Acquired, Grant, Heartbeat } from "../journal/journal-engine.ts";
import { StoreOutage } from "../../gateway/ports/journal-store.ts";
import type { EngineJournalStore } from "../journal/engine-journal-store.ts";
import type { DatabaseAnswers } from "./database-answers.ts";
import { finishesWithin } from "../../gateway/engine/wait-until.ts";
import { Lease, type LeaseOptions, LeasesOfOthers } from "./lease.ts";
import { SharedAddress } from "./own-address.ts";
import { planMoves, accountsToTake } from "./plan-moves.ts";
import { SANDBOX_JOURNAL, type World } from "../../gateway/engine/world.ts";
import { counted } from "../../gateway/domain/counted.ts";

export interface MembershipOptions extends LeaseOptions {
  readonly answers: DatabaseAnswers;
  readonly store: EngineJournalStore;
  readonly world: World;
  readonly seed: number | undefined;
}

/** How long to wait for clients and callbacks in flight before an account is handed over. */
const HANDOVER_MILLIS: Millis = 5_000;

/** How long the database may take for all accounts of a replica that stops, and then for the end of its lease. */
const LEAVING_MILLIS: Millis = 3_000;
const LEASE_END_MILLIS: Millis = 1_000;

/** The most accounts that are acquired or handed over in parallel. */
const AT_ONCE = 8;

const SELF: Owner = { kind: "self" };

/** This replica's membership in a shared sandbox: renews its lease, takes over from dead replicas, and hands accounts over. */
export class Membership implements AccountOwnership {
  readonly #with: MembershipOptions;
  self: Replica;
  secret = "";
  readonly lease: Millis;
  readonly #lease: Lease;
  #beat: Heartbeat = { now: 0, replicas: [], accounts: [] };
  /** The known owners of accounts. The latest information about an account wins. */
  readonly #owners = new Map<string, Owner>();
  /** When this replica was granted an account. An older heartbeat does not include the grant. */
  readonly #grantedAt = new Map<string, Millis>();
  /** Pending operations on an account; its owner can only be determined after them. */
  readonly #busy = new Map<string, Promise<void>>();
  readonly #waiting = new Map<string, string>();
  /** Why the journal of an account could not be written the last time, as logged. */
  readonly #unwritable = new Map<string, string>();
  readonly #leasesOfOthers: LeasesOfOthers;
  readonly #sharedAddress = new SharedAddress();
  readonly #observers = new Set<() => void>();
  #isSettling = false;
  #isRebalancing = false;
  #isLeaving = false;

  constructor(id: string, options: MembershipOptions) {
    this.self = { id, url: "" };
    this.lease = options.length;
    this.#with = options;
    this.#leasesOfOthers = new LeasesOfOthers(options.counter);
    this.#lease = new Lease(options, (beat, asked) => {
      const before = JSON.stringify(this.#beat.accounts);
      this.#beat = beat;
      if (JSON.stringify(beat.accounts) !== before) for (const changed of this.#observers) changed();
      this.#learn(beat, asked);
      for (const line of this.#sharedAddress.look(beat.replicas, this.self, asked, this.lease)) options.log(line);
      void this.#settle(beat).catch(options.report);
    });
  }

  leaseOf({ id }: Replica): AbortSignal {
    return this.#leasesOfOthers.of(id);
  }

  /** Joins the others, who reach this replica at a URL, and keeps the lease renewed from then on. */
  async join(url: string): Promise<void> {
    this.self = { ...this.self, url };
    ({ secret: this.secret } = await this.#lease.begin(this.self));
  }

  /** Returns why this replica may not answer for any account at present, if so. */
  outage(): StoreOutage | undefined {
    return this.#lease.outage() ?? this.#with.answers.outage;
  }

  ownerOf(account: string): Owner | Promise<Owner> {
    const outage = this.outage();
    if (outage !== undefined) throw outage;
    const { answers, store } = this.#with;
    if (answers.isSilent) return answers.untilAnswering().then(() => this.ownerOf(account));
    const busy = this.#busy.get(account);
    if (busy !== undefined) return busy.then(() => this.ownerOf(account));
    if (store.grantOf(account) !== undefined) return SELF;
    return this.#owners.get(account) ?? this.#acquire(account, false);
  }

  forget(account: string): void {
    this.#owners.delete(account);
  }

  async claim(account: string): Promise<Owner> {
    const outage = this.outage();
    if (outage !== undefined) throw outage;
    return this.#acquire(account, true);
  }

  replicas(): readonly ReplicaStatus[] {
    const { replicas, accounts } = this.#beat;
    return replicas.map((replica) => ({
      ...replica,
      isSelf: replica.id === this.self.id,
      accounts: accounts.filter(({ owner }) => owner === replica.id).map(({ account }) => account),
    }));
  }

  waiting(): readonly WaitingAccount[] {
    const { store } = this.#with;
    const free = this.#beat.accounts.filter(({ account, owner }) => owner === undefined && !store.grantOf(account));
    return free.map(({ account }) => ({
      account,
      reason: this.#waiting.get(account) ?? "its owner is gone, and no other replica has taken it over yet",
    }));
  }

  observeAccounts(changed: () => void): () => void {
    this.#observers.add(changed);
    return () => void this.#observers.delete(changed);
  }

  async accounts(): Promise<readonly string[]> {
    return (await this.#with.engine.list()).filter((account) => account !== SANDBOX_JOURNAL);
  }

  /** Removes an account that another replica has taken. Resolves when its clients have their responses. */
  lose(account: string): Promise<void> {
    this.forget(account);
    this.#with.store.forget(account);
    return this.#with.world.release(account);
  }

  /** Gives up an account whose journal cannot be written. Whoever takes it over continues from what the engine has. */
  giveUp(grant: Grant, problem: StoreOutage): void {
    const { account } = grant;
    const { engine, counter, log, report } = this.#with;
    // Work that is due meets the same problem at each takeover.
    if (this.#unwritable.get(account) !== problem.message) log(problem.message);
    this.#unwritable.set(account, problem.message);
    problem.isLogged = true;
    this.#waiting.set(account, problem.message);
    const answered = this.lose(account);
    // The next owner sends callbacks, and cannot know when the clients have their acknowledgments.
    const release = (): Promise<void> => engine.release(grant);
    void this.#alone(account, () => finishesWithin(answered, counter, CLIENT_PATIENCE).then(release)).catch(report);
  }

  /** Hands all accounts over to the others, and ends the lease. */
  async leave(): Promise<void> {
    this.#isLeaving = true;
    const { store, world, counter, log } = this.#with;
    const others = this.#beat.replicas.filter(({ id }) => id !== this.self.id);
    const left = store.owned();
    // In parallel, because a process manager waits half a minute at most.
    await Promise.all(left.map(async (account) => world.running(account)?.stopWork(HANDOVER_MILLIS)));
    const to = (): string | undefined => others[left.length % Math.max(1, others.length)]?.id;
    const handingOver = forEachOf(left, (account) => this.#handOver(account, to(), 0));
    const isDone = await finishesWithin(handingOver, counter, this.outage() === undefined ? LEAVING_MILLIS : 0);
    if (!isDone) log("not all accounts could be handed over in time; they are taken over when the lease is over");
    left.length = 0;
    await finishesWithin(this.#lease.end(), counter, LEASE_END_MILLIS);
  }

  /** Ends the leases of replicas that are gone, and releases accounts that others have taken in the meantime. */
  #learn({ replicas, accounts }: Heartbeat, asked: Millis): void {
    const known = new Map(replicas.map((replica) => [replica.id, replica]));
    this.#leasesOfOthers.endBut(known, asked);
    this.#owners.clear();
    for (const { account, owner } of accounts) {
      const replica = known.get(owner ?? "");
      if (replica === undefined || replica.id === this.self.id) continue;
      if ((this.#grantedAt.get(account) ?? asked) < asked && this.#with.store.grantOf(account) !== undefined)
        void this.lose(account);
      if (this.#with.store.grantOf(account) === undefined) this.#owners.set(account, { kind: "replica", ...replica });
    }
  }

  /** Takes over accounts that are free, and hands accounts over to replicas that have too few. */
  async #settle(beat: Heartbeat): Promise<void> {
    if (this.#isSettling || this.#isLeaving) return;
    this.#isSettling = true;
    const taken = await this.#takeOver(beat).finally(() => (this.#isSettling = false));
    if (taken > 0) this.#with.log(`took over ${counted(taken, "account")}`);
    void this.#rebalance(beat).catch(this.#with.report);
  }

  /** Not awaited, because it may take long. */
  async #rebalance(beat: Heartbeat): Promise<void> {
    if (this.#isRebalancing) return;
    this.#isRebalancing = true;
    const { store, world } = this.#with;
    const mine = planMoves(beat).filter(({ from, account }) => from === this.self.id && store.grantOf(account));
    // An account on which a call or a client waits is considered again at the next heartbeat.
    const moves = mine.filter(({ account }) => !world.running(account)?.isWaitedFor);
    await forEachOf(moves, ({ account, to }) => this.#handOver(account, to, HANDOVER_MILLIS)).finally(
      () => (this.#isRebalancing = false),
    );
  }

  async #takeOver({ replicas, accounts }: Heartbeat): Promise<number> {
    const { store } = this.#with;
    const place = replicas.findIndex(({ id }) => id === this.self.id);
    const granted = accounts.filter(({ account, owner }) => owner === this.self.id && !store.grantOf(account));
    const wanted = [...granted, ...accountsToTake(accounts, Math.max(0, place), replicas.length, store.owned().length)];
    let taken = 0;
    await forEachOf(wanted, async ({ account }) => {
      if ((await this.#tryToTake(account)) === SELF) taken += 1;
    });
    return taken;
  }

  /** A failure to take one account must not prevent taking others. */
  async #tryToTake(account: string): Promise<Owner | undefined> {
    try {
      const owner = await this.#acquire(account, false);
      this.#waiting.delete(account);
      return owner;
    } catch (fault) {
      const reason = messageOf(fault);
      if (!(fault instanceof StoreOutage) && this.#waiting.get(account) !== reason) this.#with.report(fault);
      this.#waiting.set(account, reason);
      return undefined;
    }
  }

  /** One at a time for each account, because a second grant would fence the first. */
  #acquire(account: string, create: boolean): Promise<Owner> {
    return this.#alone(account, async () => {
      const { store, engine, counter } = this.#with;
      if (store.grantOf(account) !== undefined) return SELF;
      if (this.#isLeaving) throw new StoreOutage("this replica is stopping; ask another one");
      await store.dropped(account);
      const acquired = await engine.acquire(account, { create });
      if (acquired.kind === "replica") this.#owners.set(account, acquired);
      if (acquired.kind !== "granted") return acquired;
      this.#grantedAt.set(account, counter.now());
      await this.#own(acquired);
      return SELF;
    });
  }

  async #own({ grant, journal }: Extract<Acquired, { kind: "granted" }>): Promise<void> {
    const { store, world, engine, seed } = this.#with;
    const { account } = grant;
    this.#owners.delete(account);
    store.own(grant, journal);
    try {
      if (journal.events.length > 0) world.takeOver({ consumerKey: account, journal });
      else if (account === SANDBOX_JOURNAL) world.openSandbox(seed);
    } catch (fault) {
      store.forget(account);
      void world.release(account);
      await engine.release(grant);
      throw fault;
    }
  }

  /** Requests for the account wait in the meantime, and then find the next owner. */
  #handOver(account: string, to: string | undefined, within: Millis): Promise<void> {
    return this.#alone(account, async () => {
      const { store, world, engine, report } = this.#with;
      await world.running(account)?.stopWork(within);
      // Only this replica learns when the clients have their acknowledgments, and callbacks wait for that.
      if (!this.#isLeaving && world.running(account)?.resumeIfAwaited()) return;
      void world.release(account);
      const grant = await store.release(account);
      if (grant !== undefined) await engine.release(grant, to).catch(report);
      const next = this.#beat.replicas.find(({ id }) => id === to);
      if (next === undefined) this.forget(account);
      else this.#owners.set(account, { kind: "replica", ...next });
    });
  }

  #alone<T>(account: string, work: () => Promise<T>): Promise<T> {
    const mine = (this.#busy.get(account) ?? Promise.resolve()).then(work);
    const end = (): void => void (this.#busy.get(account) === over && this.#busy.delete(account));
    const over: Promise<void> = mine.then(end, end);
    this.#busy.set(account, over);
    return mine;
  }
}

/** Takes everything out of a list and works on it. */
async function forEachOf<T>(left: T[], work: (one: T) => Promise<void>): Promise<void> {
  const workUp = async (): Promise<void> => {
    for (let next = left.shift(); next !== undefined; next = left.shift()) await work(next);
  };
  await Promise.all(Array.from({ length: AT_ONCE }, workUp));
}
