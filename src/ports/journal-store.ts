import type { AccountEvent } from "../account/account-event.ts";
import type { JournalSlice } from "../account/readings/journal-slice.ts";
import type { Grant } from "./journal-engine.ts";

/** A store cannot write for now, such as on a full disk. Whoever asked may ask again. */
export class StoreOutage extends Error {}

/** Another replica owns the account. Nothing of what was asked for was written, so it may be asked for there. */
export class NotTheOwner extends Error {
  readonly account: string;

  constructor(account: string) {
    super(`this replica does not own the account ${account}`);
    this.account = account;
  }
}

/**
 * Keeps the journals of accounts. An event's number is its place: the first one ever is 1. Each account has one owner, which
 * appends and reads synchronously; whether its events would survive a crash is known only once `secured` has resolved.
 */
export interface JournalStore {
  /** Journals outlive the process, so an attempt to deliver a callback is journalled before it is made. */
  readonly isLasting: boolean;
  /** Appends events, all of them or none. Throws a `StoreOutage` while the store cannot write. */
  append(account: string, events: readonly AccountEvent[]): void;
  /** The events after a number, oldest first; from the first kept one where that number was evicted. */
  read(account: string, after: number): JournalSlice;
  /** Evicts the events up to and including a number; the snapshot replaces them, under that number. */
  trim(account: string, through: number, snapshot: () => AccountEvent): void;
  /** Forgets an account. */
  drop(account: string): void;
  /** Names the journal of an account, as long as that lasts: one that is begun anew after it was dropped has another name. */
  id(account: string): string;
  /** The accounts that have a journal here, in the order in which these began. */
  list(): readonly string[];
  /**
   * Resolves when everything appended to an account so far is as safe as this store makes it. Rejects when it was lost, such as
   * on a full disk, or when this process no longer owns the account. Nobody may be told of an event before.
   */
  secured(account: string): Promise<void>;
  /** Why nothing can be written for now; undefined where it can. The store goes on by itself. */
  outage?(): StoreOutage | undefined;
}

/** Journals of the accounts that this replica owns. */
export interface OwnedJournals {
  /** Owns a journal from now on. */
  adopt(grant: Grant, journal: JournalSlice): void;
  /** The right to write to a journal that is owned, and neither dropped nor being released. */
  grantOf(account: string): Grant | undefined;
  /** The accounts that are owned. */
  owned(): readonly string[];
  /** Owns an account no more; what of it is not written never is. */
  forget(account: string): void;
  /** Takes nothing more for an account; once all of it is written, owns it no more, and answers what it was owned by. */
  release(account: string): Promise<Grant | undefined>;
  /** Resolves when an account that was dropped here is gone from the engine too. */
  dropped(account: string): Promise<void>;
}
