import type { Millis } from "../../gateway/domain/time.ts";
import { StoreOutage } from "../../gateway/ports/journal-store.ts";

/** One of the processes that share a sandbox. */
export interface Replica {
  /** Changes at each start of the process. */
  readonly id: string;
  /** The URL at which the others reach it. */
  readonly url: string;
}

/** Thrown while no replica owns an account. */
export class NoOwner extends StoreOutage {
  override readonly repair =
    "ask again; if that does not help, GET /__admin/replicas says who owns it, and the replicas' logs why it is not answered";
}

/** The owner of an account. */
export type Owner = { readonly kind: "self" } | ({ readonly kind: "replica" } & Replica) | { readonly kind: "nobody" };

export interface ReplicaStatus extends Replica {
  readonly isSelf: boolean;
  /** In the order in which they were created. Includes `:sandbox`, the journal of requests that belong to no account. */
  readonly accounts: readonly string[];
}

/** An account that currently has no owner. */
export interface WaitingAccount {
  readonly account: string;
  readonly reason: string;
}

/**
 * Which replica owns which account. Calls throw or reject with a `StoreOutage` while this replica cannot tell, for example because it could
 * not renew its lease.
 */
export interface AccountOwnership {
  readonly self: Replica;
  /** The shared secret with which replicas authenticate to each other. */
  readonly secret: string;
  /** How long a replica that does not answer keeps its accounts. */
  readonly lease: Millis;
  /** Aborts when another replica's lease is over: from then on it answers for no account. */
  leaseOf(replica: Replica): AbortSignal;
  /** Returns the owner from memory if known, otherwise asks the engine. */
  ownerOf(account: string): Owner | Promise<Owner>;
  /** Forgets a cached owner, after that replica said that it is not the owner. */
  forget(account: string): void;
  /**
   * Takes over an account that nobody owns, or reserves the key of a new one, and resolves to its owner. If that is this replica, the world
   * has the account; a new one still has to be opened.
   */
  claim(account: string): Promise<Owner>;
  /** Live replicas with the accounts that they own, including this one. */
  replicas(): readonly ReplicaStatus[];
  waiting(): readonly WaitingAccount[];
  /** Calls `changed` when accounts are opened, dropped or taken over. Returns a function that unsubscribes. */
  observeAccounts(changed: () => void): () => void;
  /** All accounts of the sandbox, in the order in which they were created; the first is the default. */
  accounts(): Promise<readonly string[]>;
}
