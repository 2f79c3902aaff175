import { apply } from "../account/apply.ts";
import { isBeginning } from "../account/event-guards.ts";
import { accountTime } from "../account/account-time.ts";
import type { Opened } from "../account/events.ts";
import type { Snapshot, AccountEvent } from "../account/account-event.ts";
import { JournalIndex } from "../account/readings/journal-index.ts";
import type { JournalSlice } from "../account/readings/journal-slice.ts";
import type { AccountState } from "../account/state.ts";
import type { Instant } from "../domain/time.ts";
import type { JournalStore } from "../ports/journal-store.ts";
import type { WallClock } from "../ports/wall-clock.ts";
import type { AccountDependencies } from "./account-dependencies.ts";
import { EngineError } from "./engine-error.ts";
import { type JournalBounds, JournalCompactor } from "./journal-compactor.ts";
import type { JournalStart } from "./journal-start.ts";

/** Decides on a state at a moment. Returns the events to append together, with undefined for any that turned out not to be needed. */
export type Decide = (state: AccountState, at: Instant) => readonly (AccountEvent | undefined)[];

/** The decision of a command that has an answer for its caller. */
export interface Decision<T> {
  readonly events: readonly AccountEvent[];
  readonly answer: T;
}

export type DecideAnswer<T> = (state: AccountState, at: Instant) => Decision<T>;

/** Called with each event after it is appended and applied, with its number and the state after it. */
export type Observer = (event: AccountEvent, number: number, state: AccountState) => void;

type LiveJournalOptions = Pick<AccountDependencies, "store" | "bounds" | "wall" | "report"> & {
  readonly account: string;
};

/** An account's journal with its live state. Commands are decided one after another. */
export class LiveJournal {
  readonly account: string;
  readonly #store: JournalStore;
  readonly #bounds: JournalBounds;
  readonly #observers = new Set<Observer>();
  readonly #wall: WallClock;
  readonly #report: (fault: unknown) => void;
  #state: AccountState;
  #version: number;
  #compactor: JournalCompactor;
  /** How far an `advance` of a manual clock has got. */
  #reached: Instant = Number.NEGATIVE_INFINITY;
  #isDropped = false;
  /** Created on first use, and discarded when events are evicted. */
  #index: JournalIndex | undefined;

  constructor(start: JournalStart, { account, store, bounds, wall, report }: LiveJournalOptions) {
    this.account = account;
    this.#store = store;
    this.#wall = wall;
    this.#report = report;
    this.#bounds = bounds;
    this.#state = apply(undefined, start.event);
    this.#version = start.kind === "stored" ? start.number : 0;
    this.#compactor = this.#newCompactor(start.event);
    if (start.kind === "opened") this.append(() => [start.event]);
    else this.#continue(start);
  }

  get state(): AccountState {
    return this.#state;
  }

  /** Identifies the journal, whichever process continues it. */
  get id(): string {
    return this.#store.id(this.account);
  }

  /** The number of the last event. */
  get version(): number {
    return this.#version;
  }

  /** Whether it outlives the process. */
  get isLasting(): boolean {
    return this.#store.isLasting;
  }

  /** The number of requests that can no longer be looked up. */
  get evicted(): number {
    return this.#compactor.evicted;
  }

  /** The account's time. */
  now(): Instant {
    const { clock, latest } = this.#state;
    return accountTime(clock, this.#wall.now(), Math.max(latest, this.#reached));
  }

  /** Moves a manual clock to a moment at which something is due. */
  moveTo(at: Instant): void {
    this.#reached = Math.max(this.#reached, at);
  }

  observe(observer: Observer): () => void {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  }

  /** Decides on the latest state and appends the decided events, all or none. */
  append(decide: Decide): void {
    this.#refuseIfDropped();
    this.#add(decide(this.#state, this.now()).filter((event) => event !== undefined));
  }

  /** Does the same for a decision with an answer. */
  run<T>(decide: DecideAnswer<T>): T {
    this.#refuseIfDropped();
    const { events, answer } = decide(this.#state, this.now());
    this.#add(events);
    return answer;
  }

  /** Returns the events after a number that were not evicted. */
  read(after = 0): JournalSlice {
    return this.#store.read(this.account, after);
  }

  /** The journal's index, up to its last event. Reading it again costs only what has been added since. */
  get index(): JournalIndex {
    this.#index ??= new JournalIndex();
    this.#index.take(this.read(this.#index.last));
    return this.#index;
  }

  /** Resolves when all events are durable or, after a drop, when the journal is gone for good. */
  secured(): Promise<void> {
    return this.#isDropped ? this.#store.dropped(this.account) : this.#store.secured(this.account);
  }

  /** Deletes the journal. Later commands are refused. */
  drop(): void {
    this.#isDropped = true;
    this.#store.drop(this.account);
  }

  #continue({ number, event: start, later, hasMoreBefore }: Extract<JournalStart, { kind: "stored" }>): void {
    if (hasMoreBefore) this.#compact(() => this.#store.trim(this.account, number, () => start));
    this.#fold(later);
  }

  #refuseIfDropped(): void {
    if (this.#isDropped)
      throw new EngineError("not-found", `the account ${this.account} was dropped`, "create it again, or use another");
  }

  #add(events: readonly AccountEvent[]): void {
    if (events.length === 0) return;
    this.#store.append(this.account, events);
    this.#fold(events);
  }

  #fold(events: readonly AccountEvent[]): void {
    for (const event of events) {
      this.#state = apply(this.#state, event);
      this.#version += 1;
      if (isBeginning(event)) this.#startOver(event);
      else this.#compactor.count(event, this.#version, this.#state);
      for (const observe of this.#observers) observe(event, this.#version, this.#state);
    }
    if (this.#compactor.isFull(this.#state)) this.#compact(() => this.#compactor.trim(this.#state));
  }

  #startOver(beginning: Opened | Snapshot): void {
    this.#reached = Number.NEGATIVE_INFINITY;
    this.#compactor = this.#newCompactor(beginning);
    this.#compact(() => this.#store.trim(this.account, this.#version, () => beginning));
  }

  #newCompactor(event: Opened | Snapshot): JournalCompactor {
    const { account } = this;
    const limits = { account, store: this.#store, bounds: this.#bounds };
    return new JournalCompactor(limits, { number: this.#version, event }, this.#state);
  }

  /** The events are already appended, so an error here fails no command. The next compaction catches up. */
  #compact(work: () => void): void {
    this.#index = undefined;
    try {
      work();
    } catch (fault) {
      this.#report(fault);
    }
  }
}
