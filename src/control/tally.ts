import { outcomeWord } from "../gateway/domain/callback-outcome.ts";
import { isRequestEvent } from "../gateway/account/event-guards.ts";
import type { RequestEvent } from "../gateway/account/events.ts";
import type { AccountEvent } from "../gateway/account/account-event.ts";
import type { AccountState } from "../gateway/account/state.ts";

/** Counts by two labels. */
export type Counts = Map<string, Map<string, number>>;

/**
 * Counts what has happened in a sandbox: a fold over every account's events in bounded space. Imported events count when they are imported;
 * a reset takes nothing back.
 */
export class Tally {
  /** By operation and status code. The code is `cut` if a scenario broke the connection before acceptance. */
  readonly requests: Counts = new Map();
  /** Attempts, by operation and outcome. */
  readonly callbacks: Counts = new Map();

  take(event: AccountEvent, { transactions }: AccountState): void {
    if (isRequestEvent(event)) return count(this.requests, operationOf(event), codeOf(event));
    if (event.kind !== "attempted") return;
    const operation = transactions.get(event.requestId)?.accepted.order.operation ?? "unknown";
    count(this.callbacks, operation, outcomeWord(event.outcome));
  }
}

function count(counts: Counts, first: string, second: string): void {
  const inner = counts.get(first) ?? new Map<string, number>();
  counts.set(first, inner);
  inner.set(second, (inner.get(second) ?? 0) + 1);
}

function operationOf(event: RequestEvent): string {
  if (event.kind === "refused") return event.operation ?? "unknown";
  return (event.kind === "queried" ? undefined : event.order?.operation) ?? "account-details";
}

function codeOf(event: RequestEvent): string {
  if (event.kind === "refused") return String(event.code);
  return event.kind === "cut" ? "cut" : "200";
}
