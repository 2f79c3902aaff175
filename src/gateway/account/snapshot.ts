import type { AccountEvent, Snapshot } from "./account-event.ts";
import { isRequestEvent } from "./event-guards.ts";
import type { AccountState } from "./state.ts";
import { isEvictable } from "./transaction.ts";

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
    reordered: [...state.reordered],
  };
}

/** Returns the snapshot at a checkpoint. Its contents are counted back from the live state by the events between them. */
export function snapshotOf(checkpoint: Checkpoint, live: AccountState, later: readonly AccountEvent[]): Snapshot {
  const contents = [...contentsBefore(live.contents, later)];
  return { kind: "snapshot", at: checkpoint.latest, state: { ...checkpoint, contents } };
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
    reordered: new Set(encoded.reordered),
  };
}
