import type { Carrier } from "../domain/carrier.ts";
import type { Instant } from "../domain/time.ts";
import type { AccountState, Registration } from "./state.ts";
import type { Transaction } from "./transaction.ts";

/** An account's state with its maps written as lists, so that JSON can represent all of it. */
export type EncodedState = Omit<
  AccountState,
  "transactions" | "contents" | "repeatable" | "senderIds" | "registrations" | "counters" | "reordered"
> & {
  readonly transactions: readonly Transaction[];
  readonly contents: readonly (readonly [number, number])[];
  readonly repeatable: readonly (readonly [number, Instant])[];
  readonly senderIds: readonly (readonly [string, readonly Carrier[]])[];
  readonly registrations: readonly Registration[];
  readonly counters: readonly (readonly [string, number])[];
  readonly reordered: readonly string[];
};

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
