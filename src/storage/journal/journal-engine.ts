import type { AccountEvent } from "../../gateway/account/account-event.ts";
import type { JournalSlice } from "../../gateway/account/readings/journal-slice.ts";
import type { Owner, Replica } from "./account-ownership.ts";
import type { Instant, Millis } from "../../gateway/domain/time.ts";
import type { UnwritableJournal } from "../../gateway/ports/journal-store.ts";

/** The right to write to an account's journal. Valid until another replica acquires the account, which raises its epoch. */
export interface Grant {
  readonly account: string;
  /** Identifies the journal: an account that is dropped and opened again gets another one. */
  readonly journal: string;
  readonly epoch: number;
}

export type Acquired =
  /** A new account has a journal without events. */
  | { readonly kind: "granted"; readonly grant: Grant; readonly journal: JournalSlice }
  | Exclude<Owner, { readonly kind: "self" }>;

export interface JournalAppend {
  readonly kind: "append";
  readonly grant: Grant;
  /** The number of the last event already written. */
  readonly after: number;
  /** The number of the last event after this write. */
  readonly last: number;
  /** The events up to `last`, without those that the trim evicts. */
  readonly events: readonly AccountEvent[];
  /** Evicts the events up to and including number `through`; the snapshot replaces them under that number. */
  readonly trim?: { readonly through: number; readonly snapshot: AccountEvent };
}

/** A write to one journal, applied completely or not at all. */
export type JournalWrite = JournalAppend | { readonly kind: "drop"; readonly grant: Grant };

/**
 * The result of a write. Fenced: another replica owns the account, and nothing was written. Uncertain: another replica owns it, and it is
 * no longer possible to tell whether an earlier write, whose response was lost, was applied. An `UnwritableJournal`: no repetition would
 * succeed, and nothing was written.
 */
export type WriteOutcome = "written" | "fenced" | "uncertain" | UnwritableJournal;

export interface Heartbeat {
  /** The engine's time. */
  readonly now: Instant;
  /** The replicas with a valid lease, in the order in which they joined. */
  readonly replicas: readonly Replica[];
  /** All accounts in the order in which they were created. `owner` is the id of a live replica. */
  readonly accounts: readonly { readonly account: string; readonly owner: string | undefined }[];
}

/**
 * The store that replicas share, as seen by one of them. Each account has at most one owner, and only the owner writes to its journal.
 * Every call may reject with a `StoreOutage` although it was carried out, so every call may be repeated.
 */
export interface JournalEngine {
  /**
   * Takes a lease of this length, counted from now and from each heartbeat on the engine's clock. Resolves to the shared secret with which
   * replicas authenticate to each other.
   */
  join(self: Replica, lease: Millis): Promise<{ readonly secret: string }>;
  /** Renews the lease, even if it has expired. */
  heartbeat(): Promise<Heartbeat>;
  /** Ends the lease. */
  leave(): Promise<void>;
  /** Grants an account that no live replica owns, or renews its owner's grant. Creates a missing journal if `create` is set. */
  acquire(account: string, options: { readonly create: boolean }): Promise<Acquired>;
  /** Writes to many journals at once. Returns the results in the order of the writes. A repeated write is applied only once. */
  flush(writes: readonly JournalWrite[]): Promise<readonly WriteOutcome[]>;
  /** Releases an account, to replica `to` or to whichever claims it first. Ignores a grant that is no longer valid. */
  release(grant: Grant, to?: string): Promise<void>;
  /** Reads a journal without owning it. */
  load(account: string): Promise<JournalSlice | undefined>;
  /** The accounts that have a journal, in the order in which these were created. */
  list(): Promise<readonly string[]>;
  /** Closes all connections. */
  close(): Promise<void>;
}
