import { beginTry, recordTry, type Try } from "../account/decide/attempt.ts";
import { restartScenarios, portAsScripted } from "../account/decide/scenarios.ts";
import type { Moment } from "../account/decide/moment.ts";
import { settleTransaction } from "../account/decide/settle.ts";
import { foldJournal } from "../account/apply.ts";
import { isBeginning } from "../account/event-guards.ts";
import type { AccountEvent } from "../account/account-event.ts";
import type { AccountState } from "../account/state.ts";
import { isUnsettled, type Transaction } from "../account/transaction.ts";
import type { AccountSettings } from "../settings/account.ts";
import type { GatewaySettings } from "../settings/gateway.ts";
import { type Instant, type Millis, SECOND } from "../domain/time.ts";
import type { JournalIndex } from "../account/readings/journal-index.ts";
import type { JournalSlice } from "../account/readings/journal-slice.ts";
import type { WallClock } from "../ports/wall-clock.ts";
import { type Advanced, Advancer, type Target } from "./advance.ts";
import type { Due } from "./agenda.ts";
import { type JournalStart, openingOf, ownersUrls, resumeClock, stateBeforeRun, startOfStored } from "./journal-start.ts";
import type { AccountDependencies } from "./account-dependencies.ts";
import { Courier, type DeliveryId } from "./courier.ts";
import { type Decide, LiveJournal, type Observer } from "./live-journal.ts";
import { Timekeeper } from "./timekeeper.ts";
import { isOverWithin, until } from "./until.ts";
import { Waits } from "./waits.ts";
import { NotTheOwner } from "../ports/journal-store.ts";

/** One customer of the gateway, running: commands change its journal, its clock lets things happen, its callbacks go out. */
export class Account {
  readonly consumerKey: string;
  readonly #ownersUrls: ReadonlySet<string>;
  readonly #dependencies: AccountDependencies;
  readonly #journal: LiveJournal;
  readonly #courier: Courier;
  readonly #timekeeper: Timekeeper;
  readonly #advancer: Advancer;
  readonly #whenClosed = new Set<() => void>();
  readonly waits: Waits;
  /** It was left by an earlier process, and nothing happens by itself yet. */
  #isAsleep: boolean;

  /** Opens an account, or goes on with one; what that one has coming waits until it is woken. */
  constructor(start: AccountSettings | StoredAccount, dependencies: AccountDependencies) {
    const { store, bounds, wall, transport } = dependencies;
    const report = (fault: unknown): void => {
      // What was under way when the account moved happens elsewhere.
      if (!(fault instanceof NotTheOwner)) dependencies.report(fault);
    };
    this.consumerKey = "journal" in start ? start.consumerKey : start.consumer_key;
    this.waits = new Waits(this.consumerKey);
    this.#dependencies = dependencies;
    this.#isAsleep = "journal" in start;
    const journalStart = this.#startOf(start);
    this.#journal = new LiveJournal(journalStart, { account: this.consumerKey, store, bounds, wall, report });
    this.#ownersUrls = ownersUrls(journalStart, this.state);
    const record = (made: Try): void => this.run((state, at) => one(recordTry(state, made, at)));
    const begin = async (id: DeliveryId): Promise<boolean> => !store.isLasting || this.#beginTry(id);
    this.#courier = new Courier(transport, {
      begin,
      record,
      report,
      postpone: (id) => this.#timekeeper.postpone(id),
      gateway: dependencies.gateway,
    });
    this.#timekeeper = new Timekeeper(this.#journal, this.#courier, { wall, report });
    this.#advancer = new Advancer({
      journal: this.#journal,
      courier: this.#courier,
      timekeeper: this.#timekeeper,
      wall,
      waits: this.waits,
    });
    this.#journal.observe((event, _number, state) => this.#follow(event, state));
  }

  get state(): AccountState {
    return this.#journal.state;
  }

  /** Names the journal, wherever it goes on. */
  get journalId(): string {
    return this.#journal.id;
  }

  /** The number of the last event. */
  get version(): number {
    return this.#journal.version;
  }

  /** Requests that can no longer be looked up. */
  get evicted(): number {
    return this.#journal.evicted;
  }

  /** Whether a callback URL is one that this machine's owner opened the account with: it may name a public host, also when it is put back. */
  isOwnersUrl(url: string): boolean {
    return this.#ownersUrls.has(url);
  }

  now(): Instant {
    return this.#journal.now();
  }

  get wall(): WallClock {
    return this.#dependencies.wall;
  }

  get gateway(): GatewaySettings {
    return this.#dependencies.gateway;
  }

  moment(at: Instant, header: Moment["header"] = () => undefined): Moment {
    const { gateway, random, bounds } = this.#dependencies;
    return {
      at,
      gateway: portAsScripted(gateway, this.state.scenarios),
      random,
      maxUnresolved: bounds.max_unresolved,
      header,
    };
  }

  /** Carries out one command: decides on the newest state and appends what was decided, all or nothing. */
  run<T>(decide: Decide<T>): T {
    return this.#journal.run(decide);
  }

  /** Resolves when everything that was decided so far is as safe as the store makes it. */
  secured(): Promise<void> {
    return this.#journal.secured();
  }

  /** Lets go on what an earlier process left. */
  wake(): void {
    if (!this.#isAsleep) return;
    this.#isAsleep = false;
    this.run((state) => ({ events: resumeClock(state, this.wall.now()), answer: undefined }));
    this.#timekeeper.resume();
  }

  observe(observer: Observer): () => void {
    return this.#journal.observe(observer);
  }

  read(after = 0): JournalSlice {
    return this.#journal.read(after);
  }

  /** What is looked up in the journal: reading it again costs what has been added. */
  get index(): JournalIndex {
    return this.#journal.index;
  }

  /** Keeps the callbacks of a transaction back until its acknowledgment is out of the way. */
  holdCallbacks(requestId: string): void {
    this.#courier.hold(requestId);
  }

  releaseCallbacks(requestId: string): void {
    this.#courier.release(requestId);
  }

  /** Whether the client of an accepted request still waits for its acknowledgment. */
  clientWaits(requestId: string): boolean {
    if (this.#courier.isHeld(requestId)) return true;
    const transaction = this.state.transactions.get(requestId);
    return transaction?.accepted.plan.callback?.before_ack === true && isCallbackDue(transaction, this.now());
  }

  /** Settles a transaction at once, and waits until its receiver has answered, or 3 s of wall time have passed. */
  async deliverBeforeAck(requestId: string): Promise<void> {
    this.run((state, at) => one(settleTransaction(state, requestId, { at })));
    this.hasten(requestId);
    await this.#until(() => !isCallbackDue(this.state.transactions.get(requestId), this.now()), BEFORE_ACK);
  }

  /** Begins the callbacks of a transaction that are due by now; on a manual clock nothing else would. */
  hasten(requestId: string): void {
    this.#timekeeper.hasten(requestId);
  }

  /** Everything that is due at some time to come, soonest first. */
  pending(): Due[] {
    return this.#timekeeper.list();
  }

  /** Callbacks that are on their way. */
  get callbacksUnderWay(): number {
    return this.#courier.busy;
  }

  advance(target: Target, within: Millis): Promise<Advanced> {
    return this.#advancer.advance(target, within);
  }

  /** Waits until every transaction is resolved; on a manual clock only for what is under way. False when something is left. */
  drain(within: Millis): Promise<boolean> {
    if (this.state.clock.mode !== "manual") return this.until(() => this.state.unresolved === 0, within);
    return this.waits.join(async () => {
      await isOverWithin(this.#courier.idle(), { wall: this.wall, within });
      return this.state.unresolved === 0;
    });
  }

  /** Waits until something holds, looking again after each event; false when the wall time ran out first. */
  until(holds: () => boolean, within: Millis): Promise<boolean> {
    return this.waits.join(() => this.#until(holds, within));
  }

  /** Back to the account's seed state; what was under way is abandoned. Without a fixed seed, a new one is drawn. */
  reset(): void {
    this.run((state) => {
      const before = stateBeforeRun(state, (url) => this.isOwnersUrl(url));
      const opened = openingOf(before.settings, this.wall.now(), () => this.#dependencies.random.freshSeed());
      return { events: [opened, ...restartScenarios(before, opened.at)], answer: undefined };
    });
  }

  /** Begins again with another journal, which folds to a state; its clock goes on from where it stood. */
  import(events: readonly AccountEvent[]): void {
    const left = foldJournal(events);
    const resumed = left === undefined ? [] : resumeClock(left, this.wall.now());
    this.run(() => ({ events: [...events, ...resumed], answer: undefined }));
  }

  /** Lets an advance end, then stops the clock for good, and waits until clients have their answers and callbacks have been made. */
  async quieten(within: Millis): Promise<void> {
    const limit = { wall: this.wall, within };
    await isOverWithin(this.#advancer.idle(), limit);
    this.waits.end();
    this.#timekeeper.close();
    await isOverWithin(this.#courier.quiet(), limit);
  }

  /** Stops the clock for good and abandons what is under way: nothing happens by itself any more. */
  close(): void {
    this.#timekeeper.close();
    this.#courier.close();
    for (const job of this.#whenClosed) job();
    this.#whenClosed.clear();
  }

  /** Runs a job once the account is closed: it was dropped, or goes on elsewhere. Answers what takes that back. */
  whenClosed(job: () => void): () => void {
    this.#whenClosed.add(job);
    return () => void this.#whenClosed.delete(job);
  }

  /** Closes it and forgets its journal; commands that come too late are refused. */
  drop(): void {
    this.close();
    this.#journal.drop();
  }

  #until(holds: () => boolean, within: Millis): Promise<boolean> {
    return until(this.#journal, holds, { wall: this.wall, within });
  }

  #follow(event: AccountEvent, state: AccountState): void {
    if (isBeginning(event)) this.#courier.abandon();
    this.#timekeeper.note(event, state);
  }

  async #beginTry(id: DeliveryId): Promise<boolean> {
    const isBegun = this.run((state, at) => {
      const begun = beginTry(state, id, at);
      return { events: begun === undefined ? [] : [begun], answer: begun !== undefined };
    });
    await this.secured();
    return isBegun;
  }

  #startOf(start: AccountSettings | StoredAccount): JournalStart {
    if ("journal" in start) return startOfStored(start.journal);
    return { kind: "opened", event: openingOf(start, this.wall.now(), () => this.#dependencies.random.freshSeed()) };
  }
}

/** The receiver's time for an answer (document 6). */
const BEFORE_ACK: Millis = 3 * SECOND;

function isCallbackDue(transaction: Transaction | undefined, now: Instant): boolean {
  if (transaction === undefined || isUnsettled(transaction.progress)) return false;
  return transaction.progress.deliveries.some(({ tries, next }) => tries === 0 && next !== "none" && next.dueAt <= now);
}

/** The decision to append one event, or nothing when there is none. */
function one<Event>(event: Event | undefined): { events: Event[]; answer: undefined } {
  return { events: event === undefined ? [] : [event], answer: undefined };
}

/** The journal of an account that an earlier process ran. */
export interface StoredAccount {
  readonly consumerKey: string;
  readonly journal: JournalSlice;
}
