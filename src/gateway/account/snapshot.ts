import type { Snapshot } from "./account-event.ts";
import type { AccountState } from "./state.ts";

type EncodedState = Snapshot["state"];

export function encodeState(state: AccountState): EncodedState {
  return {
    ...state,
    transactions: Array.from(state.transactions.values(), (transaction) => ({ ...transaction })),
    contents: [...state.contents],
    repeatable: [...state.repeatable],
    senderIds: Array.from(state.senderIds, ([senderId, carriers]) => [senderId, [...carriers]]),
    registrations: [...state.registrations.values()],
    counters: [...state.counters],
    reordered: [...state.reordered],
  };
}

export function decodeState(encoded: EncodedState): AccountState {
  return {
    ...encoded,
    transactions: new Map(
      encoded.transactions.map((transaction) => [transaction.accepted.requestId, { ...transaction }]),
    ),
    contents: new Map(encoded.contents),
    repeatable: new Map(encoded.repeatable),
    senderIds: new Map(encoded.senderIds.map(([senderId, carriers]) => [senderId, new Set(carriers)])),
    registrations: new Map(encoded.registrations.map((registration) => [registration.submitted.id, registration])),
    counters: new Map(encoded.counters),
    reordered: new Set(encoded.reordered),
  };
}
