import { isAcknowledged } from "../../domain/callback-outcome.ts";
import { explainOutcome } from "../../domain/explain-outcome.ts";
import { formatInstant, type Millis } from "../../domain/time.ts";
import type { Resolved, Transaction } from "../transaction.ts";

/** How far a transaction's callback has got, with one sentence that says why. */
export interface CallbackStatus {
  readonly state: "pending" | "delivered" | "undelivered" | "none";
  readonly explanation: string;
}

/** Says what has become of a transaction's callback; `timeout` is the account's limit for an answer. */
export function callbackStatus({ progress }: Transaction, timeout: Millis): CallbackStatus {
  if (progress.state === "queued")
    return { state: "pending", explanation: `It settles at ${formatInstant(progress.settlesAt)}; its callback follows.` };
  if (progress.state === "stuck") return { state: "none", explanation: STUCK };
  const { callback } = progress.settled;
  if ("none" in callback && progress.deliveries.length === 0) return { state: "none", explanation: `Not sent: ${callback.none}.` };
  return pending(progress) ?? settled(progress, timeout);
}

const STUCK = "Not sent: it never settles, because a scenario says so; POST .../settle does it by hand.";

function pending({ deliveries, attempts }: Resolved): CallbackStatus | undefined {
  for (const { next } of deliveries) {
    if (next === "none") continue;
    const tried = attempts.length === 0 ? "" : `; tried ${attempts.length === 1 ? "once" : `${attempts.length} times`} so far`;
    return { state: "pending", explanation: `Due at ${formatInstant(next.dueAt)}${tried}.` };
  }
  return undefined;
}

function settled({ attempts }: Resolved, timeout: Millis): CallbackStatus {
  const telling = attempts.findLast(({ outcome }) => isAcknowledged(outcome)) ?? attempts.at(-1);
  if (telling === undefined) return { state: "undelivered", explanation: "It was never tried." };
  return {
    state: isAcknowledged(telling.outcome) ? "delivered" : "undelivered",
    explanation: explainOutcome(telling.outcome, { url: telling.url, timeout }),
  };
}
