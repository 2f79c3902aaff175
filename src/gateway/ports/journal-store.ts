import type { AccountEvent } from "../account/account-event.ts";
import type { JournalSlice } from "../account/readings/journal-slice.ts";

/** Thrown while a store cannot write, for example because the disk is full. The caller may retry. */
export class StoreOutage extends Error {
  /** Set once the log says so. Every request during an outage meets the same object. */
  isLogged = false;
  /** What the user can do. */
  readonly repair: string = "make room on its disk, or let its database be reached; Kredo goes on by itself";
}

/** Thrown if nobody can tell whether a call was carried out, because the replica that did it, or its database, is gone. */
export class OwnerLost extends StoreOutage {
  override readonly repair = "look at the account, then ask for what is left";
}

/** Thrown if the journal of one account cannot be written, however often that is tried. Nothing was done, and other accounts go on. */
export class UnwritableJournal extends StoreOutage {
  override readonly repair = "ask again: the account goes on from the last event that its database has";

  constructor(account: string, reason: string, options?: ErrorOptions) {
    super(`the journal of ${account} cannot be written: ${reason}`, options);
  }
}

/** Thrown if another replica owns the account. Nothing was written, so the request may be sent to the owner. */
export class NotTheOwner extends Error {
  readonly account: string;

  constructor(account: string) {
    super(`this replica does not own the account ${account}`);
    this.account = account;
  }
}

/**
 * Stores the journals of accounts. Events are numbered from 1. Each account has one owner, which appends and reads synchronously. Only
 * after `secured` has resolved is it certain that the events survive a crash.
 */
export interface JournalStore {
  /** Whether journals outlive the process. If so, a callback attempt is journalled before it is made. */
  readonly isLasting: boolean;
  /** Takes ownership of an account's journal, before its first event. Resolves to whether this process owns it now. */
  begin(account: string): Promise<boolean>;
  /** Appends all events or none. Throws a `StoreOutage` while the store cannot write. */
  append(account: string, events: readonly AccountEvent[]): void;
  /** Returns the events after a number, oldest first. If some of those were evicted, starts with the first event still stored. */
  read(account: string, after: number): JournalSlice;
  /** Evicts the events up to and including a number; the snapshot replaces them under that number. */
  trim(account: string, through: number, snapshot: () => AccountEvent): void;
  /** Deletes an account's journal. */
  drop(account: string): void;
  /** Identifies an account's journal. An account that is dropped and opened again gets another id. */
  id(account: string): string;
  /** The accounts that have a journal here, in the order in which these were created. */
  list(): readonly string[];
  /**
   * Resolves when everything appended to an account so far is durable. Rejects if it was lost, for example because the disk is full or
   * because this process no longer owns the account. Nobody may be told of an event before that.
   */
  secured(account: string): Promise<void>;
  /** Resolves when the journal of a dropped account is gone for good; at once for any other account. */
  dropped(account: string): Promise<void>;
  /** Returns why the store cannot write at present; undefined if it can. The store recovers by itself. */
  outage?(): StoreOutage | undefined;
}
