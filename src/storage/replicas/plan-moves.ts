import type { Heartbeat } from "../journal/journal-engine.ts";

export interface Move {
  readonly account: string;
  readonly from: string;
  readonly to: string;
}

/** The most moves made at once. */
const MAX_MOVES = 64;

/**
 * Plans which accounts replicas hand over, so that in the end no replica has two more than another. Every replica with the same view makes
 * the same plan.
 */
export function planMoves({ replicas, accounts }: Heartbeat): Move[] {
  // A heartbeat that took longer than the lease names nobody, not even this replica.
  if (replicas.length === 0) return [];
  // Nothing is moved while an account has no owner: taking it over will change the balance.
  if (accounts.some(({ owner }) => owner === undefined)) return [];
  const shares = replicas.map(({ id }) => ({
    id,
    accounts: accounts.flatMap(({ account, owner }) => (owner === id ? [account] : [])),
  }));
  const moves: Move[] = [];
  while (moves.length < MAX_MOVES) {
    const fewest = shares.reduce((one, other) => (other.accounts.length < one.accounts.length ? other : one));
    const most = shares.reduce((one, other) => (other.accounts.length < one.accounts.length ? one : other));
    // Moves the newest account. The default account and the journal of unknown keys stay where they are.
    const account = most.accounts.length - fewest.accounts.length < 2 ? undefined : most.accounts.pop();
    if (account === undefined) break;
    fewest.accounts.push(account);
    moves.push({ account, from: most.id, to: fewest.id });
  }
  return moves;
}

/** Returns the accounts without an owner that the replica at this place takes over first, up to its share of all accounts. */
export function accountsToTake(
  accounts: Heartbeat["accounts"],
  place: number,
  replicas: number,
  owned: number,
): Heartbeat["accounts"] {
  const free = accounts.filter(({ owner }) => owner === undefined);
  const from = Math.floor((free.length * place) / Math.max(1, replicas));
  const room = Math.ceil(accounts.length / Math.max(1, replicas)) - owned;
  return [...free.slice(from), ...free.slice(0, from)].slice(0, Math.max(0, room));
}
