import type { AccountEvent } from "../account/events.ts";

/** Keeps the journals of accounts. An event's number is its place: the first one ever is 1. */
export interface JournalStore {
  /** Journals outlive the process, so that a try to deliver a callback is written down before it is made. */
  readonly isLasting: boolean;
  /**
   * Puts events behind number `version`, all of them or none; false when somebody was first. Memory answers at once;
   * a store that has to wait answers with a promise.
   */
  append(account: string, version: number, events: readonly AccountEvent[]): boolean | Promise<boolean>;
  /** The events after a number, oldest first; from the first kept one where that number was evicted. */
  read(account: string, after: number): Reading | Promise<Reading>;
  /** Forgets the events up to and including a number; the snapshot stands in their place, under that number. */
  trim(account: string, through: number, snapshot: () => AccountEvent): void | Promise<void>;
  /** Forgets an account. */
  drop(account: string): void | Promise<void>;
  /** The accounts that have a journal here, in the order in which these began. */
  list(): readonly string[] | Promise<readonly string[]>;
  /**
   * Nothing, where all that was taken so far is as safe as it ever will be. A store that takes events first and makes them safe
   * together answers with a promise of that, which is rejected when it failed; until then nobody is told of what was decided.
   */
  secured(): Promise<void> | undefined;
}

export interface Reading {
  /** The number of the first event. */
  readonly first: number;
  readonly events: readonly AccountEvent[];
}
