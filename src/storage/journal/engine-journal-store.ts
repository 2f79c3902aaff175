import type { AccountEvent } from "../../gateway/account/account-event.ts";
import type { JournalSlice } from "../../gateway/account/readings/journal-slice.ts";
import type { Millis } from "../../gateway/domain/time.ts";
import type { Grant, JournalEngine, JournalWrite, WriteOutcome } from "./journal-engine.ts";
import { type JournalStore, NotTheOwner, StoreOutage, UnwritableJournal } from "../../gateway/ports/journal-store.ts";
import type { WallClock } from "../../gateway/ports/wall-clock.ts";
import { nextTurn } from "../../gateway/adapters/time/next-turn.ts";
import { memoryJournalStore } from "../../gateway/adapters/memory-journal-store.ts";

/** A promise that is settled from outside. */
interface Pending {
  readonly promise: Promise<void>;
  readonly resolve: () => void;
  readonly reject: (reason: Error) => void;
}

/** What this replica knows about a journal that it owns. */
interface OwnedJournal {
  readonly grant: Grant;
  /** The number of the first event in the engine. */
  first: number;
  /** The number of the last event written. */
  written: number;
  state: "kept" | "released" | "dropped";
  /** Why nothing more can be written to it. */
  unwritable?: UnwritableJournal;
  /** Promises for the write in progress and for the next one. */
  writing?: Pending;
  next?: Pending;
}

export interface EngineStoreOptions {
  readonly clock: WallClock;
  /** How long a write waits while the engine is unavailable. */
  readonly patience: Millis;
  /** Returns why this replica may not decide anything at present, if so. */
  readonly suspended: () => StoreOutage | undefined;
  /** Takes ownership of an account's journal. Resolves to whether this replica owns it now. */
  readonly begin: (account: string) => Promise<boolean>;
  /** Called with an account that another replica has taken. */
  readonly onLost: (account: string) => void;
  /** Called with an account whose journal cannot be written, and which can be continued only from what the engine has. */
  readonly onUnwritable: (grant: Grant, problem: UnwritableJournal) => void;
}

/** How many more events the engine has than the copy before it is trimmed too: a snapshot of a full account is expensive to write. */
const TRIM_LAG = 10_000;

/** The delay before a failed write is retried. */
const BETWEEN_WRITES_MILLIS: Millis = 250;

/**
 * Journals of the accounts that this replica owns. Reads come from a copy in memory. One flush at a time writes everything appended since
 * the last one.
 */
export class EngineJournalStore implements JournalStore {
  readonly isLasting = true;
  readonly #engine: JournalEngine;
  readonly #options: EngineStoreOptions;
  readonly #copy = memoryJournalStore();
  readonly #owned = new Map<string, OwnedJournal>();
  readonly #dirty = new Set<OwnedJournal>();
  #isFlushing = false;
  #isClosed = false;
  #outage: StoreOutage | undefined;

  constructor(engine: JournalEngine, options: EngineStoreOptions) {
    this.#engine = engine;
    this.#options = options;
  }

  begin(account: string): Promise<boolean> {
    return this.#options.begin(account);
  }

  /** Keeps a journal that this replica has been granted. */
  own(grant: Grant, { first, events }: JournalSlice): void {
    this.#owned.set(grant.account, { grant, first, written: first + events.length - 1, state: "kept" });
    this.#copy.own(grant.account, { first, events });
  }

  /** The right to write to an owned journal; undefined once it is dropped or being released. */
  grantOf(account: string): Grant | undefined {
    const journal = this.#owned.get(account);
    return journal?.state === "kept" ? journal.grant : undefined;
  }

  /** The accounts that are owned. */
  owned(): string[] {
    return [...this.#owned.keys()];
  }

  /** Stops accepting events for an account, writes all pending ones, then gives the account up. Resolves to its last grant. */
  async release(account: string): Promise<Grant | undefined> {
    const journal = this.#owned.get(account);
    if (journal?.state !== "kept") return undefined;
    journal.state = "released";
    if (this.#copy.trimmed(account).through > journal.first) this.#enqueue(journal);
    await written(journal)?.catch(() => {});
    if (this.#owned.get(account) !== journal) return undefined;
    this.forget(account);
    return journal.grant;
  }

  async dropped(account: string): Promise<void> {
    const journal = this.#owned.get(account);
    if (journal?.state === "dropped") await this.#writtenInTime(journal);
  }

  /** Writes pending events and trims, unless the engine is unavailable, and stops retrying. */
  async close(): Promise<void> {
    await Promise.all(
      this.owned().flatMap((account) => [this.release(account), this.dropped(account).catch(() => {})]),
    );
    this.#isClosed = true;
  }

  /** Gives up an account at once; events not yet written are lost. */
  forget(account: string): void {
    const journal = this.#owned.get(account);
    if (journal === undefined) return;
    this.#owned.delete(account);
    this.#dirty.delete(journal);
    this.#copy.drop(account);
    journal.next?.reject(new NotTheOwner(account));
  }

  append(account: string, events: readonly AccountEvent[]): void {
    const journal = this.#owned.get(account);
    if (journal?.state !== "kept") throw new NotTheOwner(account);
    const outage = journal.unwritable ?? this.outage();
    if (outage !== undefined) throw outage;
    this.#copy.append(account, events);
    this.#enqueue(journal);
  }

  read(account: string, after: number): JournalSlice {
    return this.#copy.read(account, after);
  }

  trim(account: string, through: number, snapshot: () => AccountEvent): void {
    this.#copy.trim(account, through, snapshot);
  }

  drop(account: string): void {
    const journal = this.#owned.get(account);
    if (journal === undefined) return;
    journal.state = "dropped";
    delete journal.unwritable;
    this.#copy.drop(account);
    this.#enqueue(journal);
  }

  id(account: string): string {
    return this.#owned.get(account)?.grant.journal ?? "";
  }

  list(): readonly string[] {
    return this.#copy.list();
  }

  async secured(account: string): Promise<void> {
    const journal = this.#owned.get(account);
    if (journal === undefined) throw new NotTheOwner(account);
    await this.#writtenInTime(journal);
  }

  outage(): StoreOutage | undefined {
    return this.#options.suspended() ?? this.#outage;
  }

  async #writtenInTime(journal: OwnedJournal): Promise<void> {
    const waiting = written(journal);
    if (journal.unwritable !== undefined) throw journal.unwritable;
    if (waiting === undefined) return;
    if (this.#outage !== undefined) throw this.#outage;
    await waiting;
  }

  #enqueue(journal: OwnedJournal): void {
    journal.next ??= pending();
    this.#dirty.add(journal);
    if (this.#isFlushing) return;
    this.#isFlushing = true;
    // Everything appended in this turn of the event loop is written together.
    void nextTurn().then(() => this.#flush());
  }

  async #flush(): Promise<void> {
    while (this.#dirty.size > 0) {
      const journals = [...this.#dirty];
      this.#dirty.clear();
      const writes = journals.map((journal) => this.#takeWrite(journal));
      const answers = await this.#insist(writes);
      for (const [index, journal] of journals.entries())
        this.#settle(journal, writes[index], answers[index] ?? "uncertain");
    }
    this.#isFlushing = false;
  }

  #takeWrite(journal: OwnedJournal): JournalWrite {
    const { grant, first, written: after, state } = journal;
    if (journal.next !== undefined) journal.writing = journal.next;
    delete journal.next;
    if (state === "dropped") return { kind: "drop", grant };
    const { through, snapshot } = this.#copy.trimmed(grant.account);
    // Of the events to write, those up to `through` are already evicted.
    const from = Math.max(after, through);
    const { events } = this.#copy.read(grant.account, from);
    const write = { kind: "append", grant, after, last: from + events.length, events } as const;
    const isTrimDue = through > after || through - first >= (state === "kept" ? TRIM_LAG : 1);
    return isTrimDue && snapshot !== undefined ? { ...write, trim: { through, snapshot: snapshot() } } : write;
  }

  /** Retries until the engine responds. Callers get an error when an outage has lasted too long; the write continues. */
  async #insist(writes: readonly JournalWrite[]): Promise<readonly WriteOutcome[]> {
    const { clock, patience } = this.#options;
    const begun = clock.now();
    const silence = new StoreOutage("the journals are not written: their database does not answer");
    const late = clock.after(patience, () => this.#giveUpWaiting(silence));
    while (!this.#isClosed) {
      try {
        const answers = await this.#engine.flush(writes);
        late.cancel();
        this.#outage = undefined;
        return answers;
      } catch (fault) {
        if (clock.now() - begun >= patience || !(fault instanceof StoreOutage)) this.#giveUpWaiting(fault);
        await new Promise<void>((resolve) => void clock.after(BETWEEN_WRITES_MILLIS, resolve));
      }
    }
    late.cancel();
    return [];
  }

  #giveUpWaiting(fault: unknown): void {
    // One error object per outage, so that it is logged once.
    const found =
      fault instanceof StoreOutage ? fault : new StoreOutage("the journals cannot be written", { cause: fault });
    const outage = (this.#outage ??= this.#options.suspended() ?? found);
    for (const journal of this.#owned.values()) {
      journal.writing?.reject(outage);
      journal.next?.reject(outage);
      if (journal.writing !== undefined) journal.writing = pending();
      if (journal.next !== undefined) journal.next = pending();
    }
  }

  #settle(journal: OwnedJournal, write: JournalWrite | undefined, answer: WriteOutcome): void {
    const { writing } = journal;
    delete journal.writing;
    if (answer !== "written" || write === undefined) {
      writing?.reject(this.#failureOf(journal, answer));
      return;
    }
    const { account } = journal.grant;
    if (write.kind === "append") {
      journal.written = write.last;
      journal.first = write.trim?.through ?? journal.first;
    } else if (this.#owned.get(account) === journal) this.#owned.delete(account);
    writing?.resolve();
  }

  /** Gives the account up, and returns what whoever waits for the write is told. */
  #failureOf(journal: OwnedJournal, answer: WriteOutcome): Error {
    const { grant } = journal;
    const { account } = grant;
    if (answer instanceof UnwritableJournal) {
      journal.unwritable = answer;
      if (this.#owned.get(account) === journal) this.#options.onUnwritable(grant, answer);
      return answer;
    }
    this.#lose(journal);
    if (answer === "fenced") return new NotTheOwner(account);
    const problem = "has another owner now, and it is unknown whether the last write was made before that";
    return new StoreOutage(`${account} ${problem}`);
  }

  #lose(journal: OwnedJournal): void {
    const { account } = journal.grant;
    if (this.#owned.get(account) !== journal) return;
    this.forget(account);
    this.#options.onLost(account);
  }
}

function pending(): Pending {
  let settle: Omit<Pending, "promise"> | undefined;
  const promise = new Promise<void>((resolve, reject) => {
    settle = { resolve, reject };
  });
  // Avoids an unhandled rejection if nobody awaits it.
  promise.catch(() => {});
  return { promise, resolve: () => settle?.resolve(), reject: (reason) => settle?.reject(reason) };
}

/** Returns a promise for the pending writes; undefined if everything is written. */
function written({ next, writing }: OwnedJournal): Promise<void> | undefined {
  return (next ?? writing)?.promise;
}
