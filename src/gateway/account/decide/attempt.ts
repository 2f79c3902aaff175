import { type CallbackOutcome, outcomeWord } from "../../domain/callback-outcome.ts";
import type { RetryPolicy } from "../../settings/callbacks.ts";
import type { Instant } from "../../domain/time.ts";
import type { Writable } from "../../domain/immutable.ts";
import type { AttemptBegun, Attempted, Copied } from "../events.ts";
import type { AccountState } from "../state.ts";
import { type Delivery, isUnresolved } from "../transaction.ts";

/** One attempt that was made. */
type Try = Pick<Attempted, "requestId" | "delivery" | "url" | "headers" | "outcome" | "millis">;

/** Records that an attempt begins. */
export function beginTry(
  { transactions }: AccountState,
  { requestId, delivery }: Pick<Try, "requestId" | "delivery">,
  at: Instant,
): AttemptBegun {
  const progress = transactions.get(requestId)?.progress;
  const deliveries = progress === undefined || isUnresolved(progress) ? [] : progress.deliveries;
  const isRepeated = deliveries.some(({ number, begun }) => number === delivery && begun !== undefined);
  return { kind: "attempt-begun", at, requestId, delivery, possiblyRepeated: isRepeated ? true : undefined };
}

/** Records an attempt and when the next one is due; returns undefined if its transaction no longer exists. */
export function recordTry(state: AccountState, made: Try, at: Instant): Attempted | undefined {
  const progress = state.transactions.get(made.requestId)?.progress;
  if (progress === undefined || isUnresolved(progress)) return undefined;
  const delivery = progress.deliveries.find(({ number }) => number === made.delivery);
  if (delivery === undefined) return undefined;
  const attempted: Writable<Attempted> = {
    kind: "attempted",
    at,
    attempt: progress.attempts.length + 1,
    requestId: made.requestId,
    delivery: made.delivery,
    url: made.url,
    headers: made.headers,
    outcome: made.outcome,
    millis: made.millis,
  };
  if (delivery.scripted !== undefined) attempted.scripted = delivery.scripted;
  if (delivery.begun === "again") attempted.possiblyRepeated = true;
  const retryAt = retryAtOf(delivery, made.outcome, state.settings.callbacks.retry, at);
  if (retryAt !== undefined) attempted.retryAt = retryAt;
  return attempted;
}

/** Returns the record of a copy; undefined if its transaction no longer exists. */
export function recordCopy({ transactions }: AccountState, copied: Copied): Copied | undefined {
  return transactions.has(copied.requestId) ? copied : undefined;
}

function retryAtOf(
  delivery: Delivery,
  outcome: CallbackOutcome,
  policy: RetryPolicy,
  at: Instant,
): Instant | undefined {
  const became = outcomeWord(outcome);
  const tries = delivery.tries + 1;
  if (tries >= policy.attempts || !policy.on.some((cause) => cause === became)) return undefined;
  return at + (policy.spacing[tries - 1] ?? policy.spacing.at(-1) ?? 0);
}
