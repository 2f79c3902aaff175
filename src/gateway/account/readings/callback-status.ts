import { isAcknowledged } from "../../domain/callback-outcome.ts";
import { explainOutcome } from "../../domain/explain-outcome.ts";
import { formatInstant, type Instant, type Millis } from "../../domain/time.ts";
import type { Resolved, Transaction } from "../transaction.ts";

/** The state of a transaction's callback: `pending` is waiting for its due time, `in_flight` has begun, `none` is never sent. */
export const CALLBACK_STATES = ["pending", "in_flight", "delivered", "undelivered", "none"] as const;
type CallbackState = (typeof CALLBACK_STATES)[number];

/** Returns the state without the explanation, for lists of thousands. */
export function callbackState({ progress }: Transaction, now: Instant): CallbackState {
  if (progress.state === "queued") return "pending";
  if (progress.state === "stuck") return "none";
  const { settled, deliveries, attempts } = progress;
  if ("none" in settled.callback && deliveries.length === 0) return "none";
  const dueAt = nextDue(progress);
  if (dueAt !== undefined) return dueAt > now ? "pending" : "in_flight";
  return attempts.some(({ outcome }) => isAcknowledged(outcome)) ? "delivered" : "undelivered";
}

/** Explains the state in one sentence. `timeout` is the account's limit for an answer. */
export function explainCallback({ progress }: Transaction, now: Instant, timeout: Millis): string {
  if (progress.state === "queued") return explainQueued(progress.settlesAt, now);
  if (progress.state === "stuck") return STUCK;
  const { callback } = progress.settled;
  if ("none" in callback && progress.deliveries.length === 0) return `Not sent: ${callback.none}.`;
  return explainPending(progress, now) ?? explainLast(progress, timeout);
}

function explainQueued(settlesAt: Instant, now: Instant): string {
  return settlesAt > now
    ? `It settles at ${formatInstant(settlesAt)}; its callback follows.`
    : `It has been due since ${formatInstant(settlesAt)}: it settles once its carrier is up and the journal can be written.`;
}

const STUCK = "Not sent: a scenario keeps it from settling; settle it with POST .../settle.";

function explainPending(progress: Resolved, now: Instant): string | undefined {
  const dueAt = nextDue(progress);
  if (dueAt === undefined) return undefined;
  const { length } = progress.attempts;
  const tried = length === 0 ? "" : `; tried ${length === 1 ? "once" : `${length} times`} so far`;
  return dueAt > now ? `Due at ${formatInstant(dueAt)}${tried}.` : `In flight since ${formatInstant(dueAt)}${tried}.`;
}

function explainLast({ attempts }: Resolved, timeout: Millis): string {
  const telling = attempts.findLast(({ outcome }) => isAcknowledged(outcome)) ?? attempts.at(-1);
  return telling === undefined ? "It was never tried." : explainOutcome(telling.outcome, { url: telling.url, timeout });
}

function nextDue({ deliveries }: Resolved): Instant | undefined {
  let soonest: Instant | undefined;
  for (const { next } of deliveries) {
    if (next !== "none" && (soonest === undefined || next.dueAt < soonest)) soonest = next.dueAt;
  }
  return soonest;
}
