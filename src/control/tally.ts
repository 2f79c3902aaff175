import { type CallbackOutcome, isAcknowledged } from "../gateway/domain/callback-outcome.ts";
import type { Millis } from "../gateway/domain/time.ts";
import { isRequestEvent } from "../gateway/account/event-guards.ts";
import type { Attempted, RequestEvent } from "../gateway/account/events.ts";
import type { AccountEvent } from "../gateway/account/account-event.ts";
import type { AccountState } from "../gateway/account/state.ts";

/** Counts by two labels. */
type Counts = ReadonlyMap<string, ReadonlyMap<string, number>>;

/** A histogram of answer times. */
export interface Durations {
  /** For each of `BOUNDS`, how many were at most that long and longer than the bound before. */
  readonly counts: readonly number[];
  readonly count: number;
  readonly sum: Millis;
}

/** The upper bounds of the histogram's buckets; 3 s is a receiver's limit (document 6). */
export const BOUNDS: readonly Millis[] = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_000, 3_000, 10_000];

/**
 * Counts what has happened in a sandbox: a fold over every account's events in bounded space. Imported events count when they are imported;
 * a reset takes nothing back.
 */
export class Tally {
  readonly #requests = new Map<string, Map<string, number>>();
  readonly #callbacks = new Map<string, Map<string, number>>();
  readonly #durations = new Map<string, MutableDurations>();

  /** By operation and status code. The code is `cut` if a scenario broke the connection before acceptance. */
  get requests(): Counts {
    return this.#requests;
  }

  /** Attempts, by operation and outcome. */
  get callbacks(): Counts {
    return this.#callbacks;
  }

  /** Of attempts that were answered or timed out, by operation. */
  get durations(): ReadonlyMap<string, Durations> {
    return this.#durations;
  }

  take(event: AccountEvent, state: AccountState): void {
    if (isRequestEvent(event)) count(this.#requests, operationOf(event), codeOf(event));
    else if (event.kind === "attempted") this.#takeAttempt(event, state);
  }

  #takeAttempt({ requestId, outcome, millis }: Attempted, { transactions }: AccountState): void {
    const operation = transactions.get(requestId)?.accepted.order.operation ?? "unknown";
    count(this.#callbacks, operation, outcomeWord(outcome));
    if (!("status" in outcome) && outcome.kind !== "timed_out") return;
    const durations = this.#durations.get(operation) ?? { counts: BOUNDS.map(() => 0), count: 0, sum: 0 };
    this.#durations.set(operation, durations);
    observe(durations, millis);
  }
}

interface MutableDurations extends Durations {
  counts: number[];
  count: number;
  sum: Millis;
}

function count(counts: Map<string, Map<string, number>>, first: string, second: string): void {
  const inner = counts.get(first) ?? new Map<string, number>();
  counts.set(first, inner);
  inner.set(second, (inner.get(second) ?? 0) + 1);
}

function observe(durations: MutableDurations, millis: Millis): void {
  const place = BOUNDS.findIndex((bound) => millis <= bound);
  if (place !== -1) durations.counts[place] = (durations.counts[place] ?? 0) + 1;
  durations.count += 1;
  durations.sum += millis;
}

function operationOf(event: RequestEvent): string {
  switch (event.kind) {
    case "accepted":
      return event.order.operation;
    case "queried":
      return "account-details";
    case "cut":
      return event.order?.operation ?? "account-details";
    case "refused":
      return event.operation ?? "unknown";
  }
}

function codeOf(event: RequestEvent): string {
  if (event.kind === "refused") return String(event.code);
  return event.kind === "cut" ? "cut" : "200";
}

function outcomeWord(outcome: CallbackOutcome): string {
  if (isAcknowledged(outcome)) return "acknowledged";
  return outcome.kind === "answered" ? "not_200" : outcome.kind;
}
