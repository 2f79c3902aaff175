import type { Instant } from "../domain/time.ts";
import type { Accepted, Attempted, ResendRequested, Settled } from "./events.ts";

/** One accepted request and what has become of it so far. */
export interface Transaction {
  readonly accepted: Accepted;
  progress: Progress;
}

export type Progress = Queued | Resolved;

export interface Queued {
  readonly state: "queued";
  readonly settlesAt: Instant;
}

export interface Resolved {
  readonly state: "succeeded" | "failed";
  readonly settled: Settled;
  readonly deliveries: readonly Delivery[];
  readonly attempts: readonly Attempted[];
}

/** One sending of the callback, tried until it is acknowledged or the retry policy ends. */
export interface Delivery {
  readonly number: number;
  readonly cause: "result" | "resend";
  readonly tries: number;
  readonly next: { readonly dueAt: Instant } | "none";
}

export function begin(accepted: Accepted): Transaction {
  return { accepted, progress: { state: "queued", settlesAt: accepted.at + accepted.plan.settleAfter } };
}

export function settle(settled: Settled): Resolved {
  const deliveries = "dueAt" in settled.callback ? [firstTry(1, "result", settled.callback.dueAt)] : [];
  return { state: settled.outcome, settled, deliveries, attempts: [] };
}

export function recordAttempt(resolved: Resolved, attempted: Attempted): Resolved {
  return {
    ...resolved,
    deliveries: resolved.deliveries.map((delivery) => (delivery.number === attempted.delivery ? tried(delivery, attempted) : delivery)),
    attempts: [...resolved.attempts, attempted],
  };
}

export function addResend(resolved: Resolved, requested: ResendRequested): Resolved {
  return { ...resolved, deliveries: [...resolved.deliveries, firstTry(resolved.deliveries.length + 1, "resend", requested.at)] };
}

/** Nothing more happens to it by itself. */
export function isDone(transaction: Transaction): boolean {
  const { progress } = transaction;
  return progress.state !== "queued" && progress.deliveries.every((delivery) => delivery.next === "none");
}

function firstTry(number: number, cause: Delivery["cause"], dueAt: Instant): Delivery {
  return { number, cause, tries: 0, next: { dueAt } };
}

function tried(delivery: Delivery, attempted: Attempted): Delivery {
  const next = attempted.retryAt === undefined ? "none" : { dueAt: attempted.retryAt };
  return { ...delivery, tries: delivery.tries + 1, next };
}
