import type { Snapshot } from "./account-event.ts";
import type { AccountState } from "./state.ts";

type EncodedState = Snapshot["state"];

export function encodeState(state: AccountState): EncodedState {
  return {
    ...state,
    transactions: Array.from(state.transactions.values(), (transaction) => ({ ...transaction })),
    contents: [...state.contents],
    repeatable: [...state.repeatable],
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
    registrations: new Map(encoded.registrations.map((registration) => [registration.submitted.id, registration])),
    counters: new Map(encoded.counters),
    reordered: new Set(encoded.reordered),
  };
}
