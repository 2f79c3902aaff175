import { randomUUID } from "node:crypto";
import type { JournalSlice } from "../../src/gateway/account/readings/journal-slice.ts";
import type { Instant, Millis } from "../../src/gateway/domain/time.ts";
import type {
  Acquired,
  Grant,
  Heartbeat,
  JournalAppend,
  JournalEngine,
  JournalWrite,
  WriteOutcome,
} from "../../src/storage/journal/journal-engine.ts";
import type { Replica } from "../../src/storage/journal/account-ownership.ts";
import { StoreOutage, UnwritableJournal } from "../../src/gateway/ports/journal-store.ts";

interface Lease {
  readonly replica: Replica;
  readonly length: Millis;
  end: Instant;
}

interface Journal {
  readonly id: string;
  slice: JournalSlice;
  epoch: number;
  owner: string | undefined;
  /** The number of the last event. */
  version: number;
  /** The last event that each owner wrote, by its epoch. Recognises a repeated write. */
  readonly lastOf: Map<number, number>;
}

/** Journals that replicas of one process share in memory, with leases on the caller's clock. */
export class MemoryJournals {
  readonly #now: () => Instant;
  readonly #secret = randomUUID();
  readonly #leases = new Map<string, Lease>();
  readonly #journals = new Map<string, Journal>();
  #refused: string | undefined;

  constructor(now: () => Instant) {
    this.#now = now;
  }

  /** Returns the engine as seen by one replica. */
  engine(): JournalEngine {
    let self = { id: "", url: "" };
    return {
      join: async (replica, length) => {
        self = replica;
        this.#leases.set(replica.id, { replica, length, end: this.#now() + length });
        return { secret: this.#secret };
      },
      heartbeat: async () => this.#heartbeat(self.id),
      leave: async () => void this.#leases.delete(self.id),
      acquire: async (account, { create }) => this.#acquire(self.id, account, create),
      flush: async (writes) => this.#flush(self.id, writes),
      release: async (grant, to) => this.#release(self.id, grant, to),
      load: async (account) => this.#begun().get(account)?.slice,
      list: async () => [...this.#begun().keys()],
      close: async () => {},
    };
  }

  /** Ends a replica's lease as if it had not been renewed in time. */
  endLease(id: string): void {
    const lease = this.#leases.get(id);
    if (lease !== undefined) lease.end = Number.NEGATIVE_INFINITY;
  }

  /** Loses the last event of an account, although it was confirmed. */
  loseLast(account: string): void {
    const journal = this.#journals.get(account);
    if (journal === undefined) return;
    journal.version -= 1;
    journal.slice = { ...journal.slice, events: journal.slice.events.slice(0, -1) };
    journal.lastOf.clear();
  }

  /** Refuses events that contain a text. */
  refuse(text: string): void {
    this.#refused = text;
  }

  #heartbeat(id: string): Heartbeat {
    const lease = this.#leases.get(id);
    if (lease !== undefined) lease.end = this.#now() + lease.length;
    const live = [...this.#leases.values()].filter(({ end }) => end > this.#now());
    const accounts = Array.from(this.#begun(), ([account, { owner }]) => ({
      account,
      owner: this.#liveOwner(owner)?.id,
    }));
    return { now: this.#now(), replicas: live.map(({ replica }) => replica), accounts };
  }

  #acquire(id: string, account: string, create: boolean): Acquired {
    const known = this.#journals.get(account);
    if (!create && (known?.version ?? 0) === 0) return { kind: "nobody" };
    if (this.#liveOwner(id) === undefined)
      throw new StoreOutage(`the account ${account} could not be acquired: this replica has no lease`);
    const owner = this.#liveOwner(known?.owner);
    if (owner !== undefined && owner.id !== id) return { kind: "replica", ...owner };
    const journal = known ?? newJournal();
    this.#journals.set(account, journal);
    journal.owner = id;
    journal.epoch += 1;
    return { kind: "granted", grant: { account, journal: journal.id, epoch: journal.epoch }, journal: journal.slice };
  }

  #flush(id: string, writes: readonly JournalWrite[]): WriteOutcome[] {
    const answers = writes.map((write) => this.#answer(id, write));
    const due = writes.filter((_, index) => answers[index] === undefined);
    for (const write of due) this.#note(write);
    return answers.map((answer) => answer ?? "written");
  }

  /** Returns the result of a write that needs no action; undefined if it still has to be made. */
  #answer(id: string, write: JournalWrite): WriteOutcome | undefined {
    const { account, journal, epoch } = write.grant;
    const known = this.#journals.get(account);
    if (known?.id !== journal) return write.kind === "drop" ? "written" : "fenced";
    const isOwner = this.#granted(id, write.grant) !== undefined;
    if (isOwner && (write.kind === "drop" || known.version === write.after)) return this.#refusal(write);
    if (write.kind === "append" && known.lastOf.get(epoch) === write.last) return "written";
    return isOwner ? new UnwritableJournal(account, `it is at event ${known.version}`) : "fenced";
  }

  #refusal(write: JournalWrite): UnwritableJournal | undefined {
    const isRefused = this.#refused !== undefined && JSON.stringify(write).includes(this.#refused);
    return isRefused ? new UnwritableJournal(write.grant.account, "its database refuses it") : undefined;
  }

  #note(write: JournalWrite): void {
    const { account, epoch } = write.grant;
    const journal = this.#journals.get(account);
    if (write.kind === "drop" || journal === undefined) {
      this.#journals.delete(account);
      return;
    }
    journal.slice = written(journal.slice, write);
    journal.version = write.last;
    journal.lastOf.set(epoch, write.last);
  }

  #release(id: string, grant: Grant, to: string | undefined): void {
    const journal = this.#granted(id, grant);
    if (journal !== undefined) journal.owner = to;
  }

  /** Returns the journal if the grant is still valid. */
  #granted(id: string, { account, journal, epoch }: Grant): Journal | undefined {
    const known = this.#journals.get(account);
    return known?.id === journal && known.owner === id && known.epoch === epoch ? known : undefined;
  }

  #liveOwner(id: string | undefined): Replica | undefined {
    const lease = this.#leases.get(id ?? "");
    return lease !== undefined && lease.end > this.#now() ? lease.replica : undefined;
  }

  #begun(): Map<string, Journal> {
    return new Map([...this.#journals].filter(([, { version }]) => version > 0));
  }
}

function newJournal(): Journal {
  const slice = { first: 1, events: [] };
  return { id: randomUUID(), slice, epoch: 0, owner: undefined, version: 0, lastOf: new Map() };
}

function written({ first, events }: JournalSlice, { events: added, trim }: JournalAppend): JournalSlice {
  if (trim === undefined) return { first, events: [...events, ...added] };
  return {
    first: trim.through,
    events: [trim.snapshot, ...events.slice(Math.max(0, trim.through + 1 - first)), ...added],
  };
}
