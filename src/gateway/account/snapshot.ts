import type { AccountEvent, Snapshot } from "./account-event.ts";
import { isRequestEvent } from "./event-guards.ts";
import type { AccountState } from "./state.ts";
import { isEvictable, type Transaction, withoutResends } from "./transaction.ts";

/** A copy of a state, without the transactions that may be evicted, and without its contents, which may be many. */
export type Checkpoint = Snapshot["state"];

export function checkpointOf(state: AccountState): Checkpoint {
  const transactions = [];
  for (const transaction of state.transactions.values())
    if (!isEvictable(transaction)) transactions.push({ ...transaction });
  return {
    ...state,
    transactions,
    contents: [],
    repeatable: [...state.repeatable],
    registrations: [...state.registrations.values()],
    counters: [...state.counters],
    scheduled: [...state.scheduled],
    reordered: [...state.reordered],
  };
}

/**
 * Returns the snapshot at a checkpoint, with the transactions that the checkpoint left out but the live state still has. These, and its
 * contents, are counted back from the live state by the events between them. `count` is the number of transactions before it.
 */
export function snapshotOf(
  checkpoint: Checkpoint,
  live: AccountState,
  { later, count }: { readonly later: readonly AccountEvent[]; readonly count: number },
): Snapshot {
  const contents = [...contentsBefore(live.contents, later)];
  const transactions = transactionsBefore(checkpoint, firstEntries(live.transactions.values(), count), later);
  return { kind: "snapshot", at: checkpoint.latest, state: { ...checkpoint, contents, transactions } };
}

function transactionsBefore(
  { transactions }: Checkpoint,
  kept: readonly Transaction[],
  later: readonly AccountEvent[],
): Transaction[] {
  const copies = new Map(transactions.map((copy) => [copy.accepted.requestId, copy]));
  const resends = new Map<string, number>();
  for (const event of later)
    if (event.kind === "resend-requested") resends.set(event.requestId, (resends.get(event.requestId) ?? 0) + 1);
  return kept.map((transaction) => {
    const { requestId } = transaction.accepted;
    return copies.get(requestId) ?? withoutResends(transaction, resends.get(requestId) ?? 0);
  });
}

/** Maps are in the order of insertion. */
export function firstEntries<Value>(values: Iterable<Value>, count: number): Value[] {
  const first: Value[] = [];
  for (const value of values) {
    if (first.length >= count) break;
    first.push(value);
  }
  return first;
}

function contentsBefore(contents: AccountState["contents"], later: readonly AccountEvent[]): Map<number, number> {
  const before = new Map(contents);
  for (const event of later) {
    if (!isRequestEvent(event)) continue;
    const count = before.get(event.content) ?? 0;
    if (count > 1) before.set(event.content, count - 1);
    else before.delete(event.content);
  }
  return before;
}

export function decodeState(encoded: Snapshot["state"]): AccountState {
  return {
    ...encoded,
    transactions: new Map(
      encoded.transactions.map((transaction) => [transaction.accepted.requestId, { ...transaction }]),
    ),
    contents: new Map(encoded.contents),
    repeatable: new Map(encoded.repeatable),
    registrations: new Map(encoded.registrations.map((registration) => [registration.submitted.id, registration])),
    counters: new Map(encoded.counters),
    scheduled: new Map(encoded.scheduled),
    reordered: new Set(encoded.reordered),
  };
}
