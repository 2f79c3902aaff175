import { isAcknowledged } from "../../domain/callback-outcome.ts";
import { explainOutcome } from "../../domain/explain-outcome.ts";
import { formatInstant, type Instant, type Millis } from "../../domain/time.ts";
import type { Resolved, Transaction } from "../transaction.ts";

/** How far a transaction's callback has got, with one sentence that says why. */
export interface CallbackStatus {
  readonly state: (typeof CALLBACK_STATES)[number];
  readonly explanation: string;
}

/** `pending` waits for its time, `in_flight` has begun, `none` is not sent at all. */
export const CALLBACK_STATES = ["pending", "in_flight", "delivered", "undelivered", "none"] as const;

/** When it is asked, on the account's clock, and the account's limit for an answer. */
interface StatusOptions {
  readonly now: Instant;
  readonly timeout: Millis;
}

/** Says what has become of a transaction's callback. */
export function callbackStatus({ progress }: Transaction, { now, timeout }: StatusOptions): CallbackStatus {
  if (progress.state === "queued")
    return { state: "pending", explanation: `It settles at ${formatInstant(progress.settlesAt)}; its callback follows.` };
  if (progress.state === "stuck") return { state: "none", explanation: STUCK };
  const { callback } = progress.settled;
  if ("none" in callback && progress.deliveries.length === 0) return { state: "none", explanation: `Not sent: ${callback.none}.` };
  return pending(progress, now) ?? settled(progress, timeout);
}

const STUCK = "Not sent: it never settles, because a scenario says so; POST .../settle does it by hand.";

function pending({ deliveries, attempts }: Resolved, now: Instant): CallbackStatus | undefined {
  const due = deliveries.flatMap(({ next }) => (next === "none" ? [] : [next.dueAt]));
  if (due.length === 0) return undefined;
  const dueAt = Math.min(...due);
  const tried = attempts.length === 0 ? "" : `; tried ${attempts.length === 1 ? "once" : `${attempts.length} times`} so far`;
  return dueAt > now
    ? { state: "pending", explanation: `Due at ${formatInstant(dueAt)}${tried}.` }
    : { state: "in_flight", explanation: `On its way since ${formatInstant(dueAt)}${tried}.` };
}

function settled({ attempts }: Resolved, timeout: Millis): CallbackStatus {
  const telling = attempts.findLast(({ outcome }) => isAcknowledged(outcome)) ?? attempts.at(-1);
  if (telling === undefined) return { state: "undelivered", explanation: "It was never tried." };
  return {
    state: isAcknowledged(telling.outcome) ? "delivered" : "undelivered",
    explanation: explainOutcome(telling.outcome, { url: telling.url, timeout }),
  };
}
