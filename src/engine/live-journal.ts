import { apply } from "../account/apply.ts";
import { type AccountEvent, isBeginning } from "../account/events.ts";
import type { AccountState } from "../account/state.ts";
import type { Instant } from "../domain/time.ts";
import type { JournalStore, Reading } from "../ports/journal-store.ts";
import { ControlProblem } from "./control-problem.ts";
import type { Beginning } from "./beginning.ts";
import { type JournalBounds, Retention } from "./retention.ts";

/** What a command decides: the events that are appended together, and what the caller is told once they are. */
export interface Decision<T> {
  readonly events: readonly AccountEvent[];
  readonly answer: T;
  /** Done as soon as the events are appended, before anything else can happen to the account. */
  readonly appended?: () => void;
}

/** Decides on a state at a moment. It may be asked again on a newer state, so it does nothing but decide. */
export type Decide<T> = (state: AccountState, at: Instant) => Decision<T>;

/** Told of each event once it is appended and folded, with its number and the state after it. */
export type Observer = (event: AccountEvent, number: number, state: AccountState) => void;

export interface Keeping {
  readonly account: string;
  readonly store: JournalStore;
  readonly bounds: JournalBounds;
  /** The account's time, as it follows from its state. */
  readonly now: (state: AccountState) => Instant;
  /** Told of a fault of the store that no command waits for. */
  readonly report: (fault: unknown) => void;
}

/** An account's journal with its live state: commands are decided on it one after another. */
export class LiveJournal {
  readonly account: string;
  readonly #store: JournalStore;
  readonly #retention: Retention;
  readonly #observers = new Set<Observer>();
  readonly #now: (state: AccountState) => Instant;
  readonly #report: (fault: unknown) => void;
  #state: AccountState;
  #version = 0;
  #isDropped = false;
  /** The last of the commands that wait for a slow store. */
  #tail: Promise<unknown> | undefined;

  /** Begins a journal, or goes on with what the store has under this account, which is nothing or exactly that. */
  constructor(beginning: Beginning, keeping: Keeping) {
    this.account = keeping.account;
    this.#store = keeping.store;
    this.#now = keeping.now;
    this.#report = keeping.report;
    this.#retention = new Retention(keeping.account, keeping.store, keeping.bounds);
    this.#state = apply(undefined, beginning.event);
    if (beginning.kind === "opened") this.#watch(this.run(() => ({ events: [beginning.event], answer: undefined })));
    else this.#goOn(beginning);
  }

  get state(): AccountState {
    return this.#state;
  }

  /** The number of the last event. */
  get version(): number {
    return this.#version;
  }

  get evicted(): number {
    return this.#retention.evicted;
  }

  observe(observer: Observer): () => void {
    this.#observers.add(observer);
    return () => void this.#observers.delete(observer);
  }

  /** Decides and appends; on a store that answers at once it is done when this returns. */
  run<T>(decide: Decide<T>): T | Promise<T> {
    this.#refuseWhenDropped();
    if (this.#tail !== undefined) return this.#queue(decide);
    const decision = decide(this.#state, this.#now(this.#state));
    if (decision.events.length === 0) return decision.answer;
    const appended = this.#store.append(this.account, this.#version, decision.events);
    if (appended === true) return this.#take(decision);
    return this.#queue(decide, { decision, appended });
  }

  /** The kept events after a number. */
  read(after: number): Reading | Promise<Reading> {
    return this.#store.read(this.account, after);
  }

  /** Forgets the journal, for good: commands that come later are refused. */
  drop(): void | Promise<void> {
    this.#isDropped = true;
    return this.#store.drop(this.account);
  }

  #goOn({ number, event: beginning, later, hasMoreBefore }: Extract<Beginning, { kind: "kept" }>): void {
    this.#version = number;
    if (hasMoreBefore) this.#watch(this.#retention.startOver(number, beginning));
    else this.#retention.beginWith(number, beginning);
    this.#fold(later);
  }

  #refuseWhenDropped(): void {
    if (this.#isDropped) throw new ControlProblem(404, `the account ${this.account} was dropped`, "create it anew, or use another");
  }

  #queue<T>(decide: Decide<T>, begun?: { decision: Decision<T>; appended: false | Promise<boolean> }): Promise<T> {
    const turn = (this.#tail ?? Promise.resolve()).then(() => this.#runInTurn(decide, begun));
    const tail: Promise<void> = turn.then(noMore, noMore).then(() => this.#endTurn(tail));
    this.#tail = tail;
    return turn;
  }

  #endTurn(tail: Promise<void>): void {
    if (this.#tail === tail) this.#tail = undefined;
  }

  async #runInTurn<T>(decide: Decide<T>, begun?: { decision: Decision<T>; appended: false | Promise<boolean> }): Promise<T> {
    if (begun !== undefined && (await begun.appended)) return this.#take(begun.decision);
    if (begun !== undefined) await this.#catchUp();
    for (;;) {
      this.#refuseWhenDropped();
      const decision = decide(this.#state, this.#now(this.#state));
      if (decision.events.length === 0) return decision.answer;
      if (await this.#store.append(this.account, this.#version, decision.events)) return this.#take(decision);
      await this.#catchUp();
    }
  }

  /** Somebody else appended: fold what came. */
  async #catchUp(): Promise<void> {
    const { first, events } = await this.#store.read(this.account, this.#version);
    this.#refuseWhenDropped();
    if (events.length === 0)
      throw new Error(`the store has nothing after event ${this.#version} of ${this.account}, and takes nothing either`);
    this.#version = first - 1;
    this.#fold(events);
  }

  #take<T>({ events, answer, appended }: Decision<T>): T {
    this.#fold(events);
    appended?.();
    return answer;
  }

  #fold(events: readonly AccountEvent[]): void {
    for (const event of events) {
      this.#state = apply(this.#state, event);
      this.#version += 1;
      if (isBeginning(event)) this.#watch(this.#retention.startOver(this.#version, event));
      else this.#retention.count(event);
      for (const observe of this.#observers) observe(event, this.#version, this.#state);
    }
    if (this.#retention.isOver(this.#state)) this.#watch(this.#retention.trim(this.#state));
  }

  #watch(work: void | Promise<void>): void {
    if (work instanceof Promise) work.catch(this.#report);
  }
}

function noMore(): void {}
