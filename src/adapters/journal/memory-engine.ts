import { randomUUID } from "node:crypto";
import type { AccountEvent } from "../../account/account-event.ts";
import type { JournalSlice } from "../../account/readings/journal-slice.ts";
import type { Instant, Millis } from "../../domain/time.ts";
import type { Acquired, Grant, Heartbeat, JournalEngine, JournalWrite, Replica, Written } from "../../ports/journal-engine.ts";
import { StoreOutage } from "../../ports/journal-store.ts";

interface Lease {
  readonly replica: Replica;
  readonly length: Millis;
  end: Instant;
}

interface Journal {
  readonly id: string;
  epoch: number;
  owner: string | undefined;
  /** The number of the last event. */
  version: number;
  /** The number of the first event that is kept. */
  first: number;
  events: AccountEvent[];
  /** The last event that each owner wrote by its epoch: what a write that is asked for again finds. */
  readonly lastOf: Map<number, number>;
}

/** What the replicas of one process share: a sandbox in memory, on a clock of the caller's. */
export class SharedMemory {
  readonly #now: () => Instant;
  readonly #secret = randomUUID();
  readonly #leases = new Map<string, Lease>();
  readonly #journals = new Map<string, Journal>();

  constructor(now: () => Instant) {
    this.#now = now;
  }

  /** The engine as one replica sees it. */
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
      flush: async (writes) => writes.map((write) => this.#write(self.id, write)),
      release: async (grants, to) => grants.forEach((grant) => this.#release(self.id, grant, to)),
      load: async (account) => {
        const journal = this.#begun().get(account);
        return journal && sliceOf(journal);
      },
      list: async () => [...this.#begun().keys()],
      close: async () => {},
    };
  }

  /** As if a replica had not renewed its lease in time. */
  endLease(id: string): void {
    const lease = this.#leases.get(id);
    if (lease !== undefined) lease.end = Number.NEGATIVE_INFINITY;
  }

  #heartbeat(id: string): Heartbeat {
    const lease = this.#leases.get(id);
    if (lease !== undefined) lease.end = this.#now() + lease.length;
    const live = [...this.#leases.values()].filter(({ end }) => end > this.#now());
    const accounts = Array.from(this.#begun(), ([account, { owner }]) => ({ account, owner: this.#liveOwner(owner)?.id }));
    return { now: this.#now(), replicas: live.map(({ replica }) => replica), accounts };
  }

  #acquire(id: string, account: string, create: boolean): Acquired {
    const known = this.#journals.get(account);
    if (!create && (known?.version ?? 0) === 0) return { kind: "absent" };
    if (this.#liveOwner(id) === undefined) throw new StoreOutage(`the account ${account} could not be acquired: this replica has no lease`);
    const owner = this.#liveOwner(known?.owner);
    if (owner !== undefined && owner.id !== id) return { kind: "owned", owner };
    const journal = known ?? beginJournal();
    this.#journals.set(account, journal);
    journal.owner = id;
    journal.epoch += 1;
    return { kind: "granted", grant: { account, journal: journal.id, epoch: journal.epoch }, journal: sliceOf(journal) };
  }

  #write(id: string, write: JournalWrite): Written {
    const { grant } = write;
    const journal = this.#journals.get(grant.account);
    if (journal === undefined || journal.id !== grant.journal) return write.kind === "drop" ? "written" : "fenced";
    if (write.kind === "append" && journal.lastOf.get(grant.epoch) === write.last) return "written";
    if (journal.owner !== id || journal.epoch !== grant.epoch) return "fenced";
    if (write.kind === "drop") this.#journals.delete(grant.account);
    else append(journal, write);
    return "written";
  }

  #release(id: string, { account, journal, epoch }: Grant, to: string | undefined): void {
    const known = this.#journals.get(account);
    if (known?.id === journal && known.owner === id && known.epoch === epoch) known.owner = to;
  }

  #liveOwner(id: string | undefined): Replica | undefined {
    const lease = this.#leases.get(id ?? "");
    return lease !== undefined && lease.end > this.#now() ? lease.replica : undefined;
  }

  #begun(): Map<string, Journal> {
    return new Map([...this.#journals].filter(([, { version }]) => version > 0));
  }
}

function beginJournal(): Journal {
  return { id: randomUUID(), epoch: 0, owner: undefined, version: 0, first: 1, events: [], lastOf: new Map() };
}

function append(journal: Journal, { grant, after, last, events, trim }: Extract<JournalWrite, { kind: "append" }>): void {
  if (journal.version !== after) throw new Error(`${grant.account} is at event ${journal.version}, and ${after} was expected`);
  if (trim !== undefined) {
    const kept = journal.events.slice(Math.max(0, trim.through + 1 - journal.first));
    journal.events = [trim.snapshot, ...kept];
    journal.first = trim.through;
  }
  journal.events = journal.events.concat(events);
  journal.version = last;
  journal.lastOf.set(grant.epoch, last);
}

function sliceOf({ first, events }: Journal): JournalSlice {
  return { first, events: [...events] };
}
