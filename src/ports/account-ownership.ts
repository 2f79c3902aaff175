import type { Replica } from "./journal-engine.ts";
import { StoreOutage } from "./journal-store.ts";

/** Nobody answers for an account for now. */
export class Unowned extends StoreOutage {}

/** Who answers for an account. */
export type Owner = { readonly kind: "self" } | ({ readonly kind: "replica" } & Replica) | { readonly kind: "nobody" };

export interface ReplicaStatus extends Replica {
  readonly isSelf: boolean;
  /** In the order in which they began; the journal of requests that belong to no account, `:sandbox`, is among them. */
  readonly accounts: readonly string[];
}

/** An account that nobody answers for at present. */
export interface WaitingAccount {
  readonly account: string;
  readonly reason: string;
}

/**
 * Which replica answers for which account. A call throws or rejects with a `StoreOutage` while this replica cannot tell, such as
 * when it could not renew its lease.
 */
export interface AccountOwnership {
  readonly self: Replica;
  /** What replicas prove themselves to each other with. */
  readonly secret: string;
  /** From memory where it is known, else from the engine. */
  ownerOf(account: string): Owner | Promise<Owner>;
  /** The owner said that it is not: look again. */
  forget(account: string): void;
  /**
   * Takes an account that nobody owns, or begins a new one, and answers who owns it then. When that is this replica, the world has
   * the account; one that is new is only reserved, and has still to be opened.
   */
  claim(account: string): Promise<Owner>;
  /** Live replicas with what they own, this one among them. */
  replicas(): readonly ReplicaStatus[];
  waiting(): readonly WaitingAccount[];
  /** Calls `changed` when accounts were opened, dropped or taken over, until what it answers is called. */
  observeAccounts(changed: () => void): () => void;
  /** All accounts of the sandbox, in the order in which they began; the first is the default. */
  accounts(): Promise<readonly string[]>;
}
