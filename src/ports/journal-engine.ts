import type { AccountEvent } from "../account/account-event.ts";
import type { JournalSlice } from "../account/readings/journal-slice.ts";
import type { Instant, Millis } from "../domain/time.ts";

/** A process that shares a sandbox with others. */
export interface Replica {
  /** Another one at each start of the process. */
  readonly id: string;
  /** Where the others reach it. */
  readonly url: string;
}

/** The right to write to an account's journal: good until somebody else acquires the account, which raises its epoch. */
export interface Grant {
  readonly account: string;
  /** Names the journal: an account that is dropped and begun again has another one. */
  readonly journal: string;
  readonly epoch: number;
}

export type Acquired =
  /** A journal without events is still to be begun. */
  | { readonly kind: "granted"; readonly grant: Grant; readonly journal: JournalSlice }
  | { readonly kind: "owned"; readonly owner: Replica }
  | { readonly kind: "absent" };

/** What is written to one journal at once, all of it or nothing. */
export type JournalWrite =
  | {
      readonly kind: "append";
      readonly grant: Grant;
      /** The number of the last event that is written already. */
      readonly after: number;
      /** The number of the last event once this is written. */
      readonly last: number;
      /** The events up to `last`; without those that the trim evicts. */
      readonly events: readonly AccountEvent[];
      /** Evicts the events up to and including a number; the snapshot stands for them, under that number. */
      readonly trim?: { readonly through: number; readonly snapshot: AccountEvent };
    }
  | { readonly kind: "drop"; readonly grant: Grant };

/**
 * What became of a write. Fenced: somebody else owns the account, and nothing was written. Uncertain: somebody else owns it, and it
 * can no longer be told whether a write whose answer was lost was written before that.
 */
export type Written = "written" | "fenced" | "uncertain";

export interface Heartbeat {
  /** The engine's time. */
  readonly now: Instant;
  /** Those whose lease runs, in the order in which they joined. */
  readonly replicas: readonly Replica[];
  /** All accounts in the order in which they began; the owner is the id of a live replica. */
  readonly accounts: readonly { readonly account: string; readonly owner: string | undefined }[];
}

/**
 * Where replicas keep one sandbox, seen by one of them. Each account has at most one owner, which alone writes to its journal.
 * Every call may reject with a `StoreOutage`, and may then have been carried out; each may be made again.
 */
export interface JournalEngine {
  /** Takes a lease for so long, from now and from each heartbeat on, on the engine's clock. Answers what replicas prove themselves to each other with. */
  join(self: Replica, lease: Millis): Promise<{ readonly secret: string }>;
  /** Renews the lease, also one that is over. */
  heartbeat(): Promise<Heartbeat>;
  /** Ends the lease. */
  leave(): Promise<void>;
  /** Grants an account that nobody with a lease owns, or its owner anew; begins the journal of one that is not there, if it may. */
  acquire(account: string, options: { readonly create: boolean }): Promise<Acquired>;
  /** Writes to many journals at once; answers for each in the order given. A write that is asked for again is written once. */
  flush(writes: readonly JournalWrite[]): Promise<readonly Written[]>;
  /** Gives accounts away, to another replica or to whoever comes first. What is granted no longer is left alone. */
  release(grants: readonly Grant[], to?: string): Promise<void>;
  /** Reads a journal without owning it. */
  load(account: string): Promise<JournalSlice | undefined>;
  /** The accounts that have a journal, in the order in which these began. */
  list(): Promise<readonly string[]>;
  /** Lets connections go. */
  close(): Promise<void>;
}
