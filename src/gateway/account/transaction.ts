import type * as z from "zod";
import type { Immutable, Writable } from "../domain/immutable.ts";
import { NO_MONEY } from "../domain/kes.ts";
import type { Instant, Millis } from "../domain/time.ts";
import type { ScriptedCallback } from "../scenario/effects/callback-flags.ts";
import type { delivery, progress } from "./account-event.ts";
import type {
  Accepted,
  AttemptBegun,
  Attempted,
  ClientLeft,
  Copied,
  ResendRequested,
  Reversed,
  Settled,
} from "./events.ts";

/** An accepted request and its progress. */
export interface Transaction {
  /** The number of its accepted event, counted from the account's opening. */
  readonly number: number;
  readonly accepted: Accepted;
  progress: TransactionProgress;
  /** Set if the client did not wait for its acknowledgment. */
  left?: ClientLeft;
}

export type TransactionProgress = Immutable<z.output<typeof progress>>;
export type Resolved = Extract<TransactionProgress, { settled: Settled }>;
type Unresolved = Exclude<TransactionProgress, Resolved>;

export type Delivery = Immutable<z.output<typeof delivery>>;

/** Begins with its accepted event, of this number. */
export function begin(accepted: Accepted, number: number): Transaction {
  const { settleAfter } = accepted.plan;
  return {
    number,
    accepted,
    progress:
      settleAfter === "never"
        ? { state: "stuck" }
        : { state: "queued", settlesAt: accepted.at + settleAfter, plannedBy: number },
  };
}

export function settle(settled: Settled, number: number): Resolved {
  return {
    state: settled.outcome,
    settled,
    settledBy: number,
    deliveries: deliveriesOf(settled, number),
    attempts: [],
  };
}

/** Takes a success back. */
export function reverse({ settled, settledBy, deliveries, attempts }: Resolved, reversed: Reversed): Resolved {
  return { state: "reversed", settled, reversed, settledBy, deliveries, attempts };
}

/** Returns when a success will be taken back, whether or not a callback can say so; undefined if it will not, or was. */
export function reversalAt({ accepted: { plan }, progress }: Transaction): Instant | undefined {
  if (plan.reversal === undefined || progress.state !== "succeeded") return undefined;
  const telling = plan.callback?.deliveries.find(({ scripted }) => scripted.reverse === true);
  return telling && progress.settled.at + telling.after;
}

/** Returns the result as it is now, after a reversal if there was one. */
export function latestResult(resolved: Resolved): Settled {
  if (resolved.state !== "reversed") return resolved.settled;
  const { resultCode, resultDesc, available } = resolved.reversed;
  return { ...resolved.settled, outcome: "failed", resultCode, resultDesc, charge: NO_MONEY, available };
}

/** Returns the result that one delivery reports. */
export function reportedResult(resolved: Resolved, scripted: ScriptedCallback = {}): Settled {
  return scripted.reverse === true ? latestResult(resolved) : resolved.settled;
}

function deliveriesOf({ at, callback }: Settled, plannedBy: number): Delivery[] {
  if ("none" in callback) return [];
  if ("dueAt" in callback) return [newDelivery(1, "result", { dueAt: callback.dueAt, plannedBy })];
  const { reorder } = callback;
  const patience = reorder > 0 ? REORDER_PATIENCE : 0;
  return callback.deliveries.map(({ after, scripted }, index) => {
    const first: Writable<Delivery> = newDelivery(index + 1, "result", {
      dueAt: at + after + patience,
      plannedBy,
    });
    first.scripted = scripted;
    if (reorder > 0) first.reorder = reorder;
    return first;
  });
}

/** How long a callback waits for later ones to go first. */
const REORDER_PATIENCE: Millis = 5_000;

/** Returns whether a transaction has no result: it is queued or stuck. */
export function isUnresolved(progress: TransactionProgress): progress is Unresolved {
  return progress.state === "queued" || progress.state === "stuck";
}

export function beginAttempt(resolved: Resolved, { delivery: number, possiblyRepeated }: AttemptBegun): Resolved {
  const begun = possiblyRepeated ? "again" : "once";
  return withDeliveries(
    resolved,
    resolved.deliveries.map((delivery) => (delivery.number === number ? { ...delivery, begun } : delivery)),
  );
}

export function recordAttempt(resolved: Resolved, attempted: Attempted, number: number): Resolved {
  const deliveries = resolved.deliveries.map((delivery) =>
    delivery.number === attempted.delivery ? afterTry(delivery, attempted, number) : delivery,
  );
  return withDeliveries(resolved, deliveries, [...resolved.attempts, attempted]);
}

export function addCopy(resolved: Resolved, copied: Copied): Resolved {
  const attempts = resolved.attempts.map((one) => (one.attempt === copied.attempt ? { ...one, copy: copied } : one));
  return withDeliveries(resolved, resolved.deliveries, attempts);
}

export function addResend(resolved: Resolved, requested: ResendRequested, number: number): Resolved {
  const delivery: Writable<Delivery> = newDelivery(resolved.deliveries.length + 1, "resend", {
    dueAt: requested.at,
    plannedBy: number,
  });
  const isReversed = resolved.state === "reversed";
  if (isReversed || requested.scripted !== undefined)
    delivery.scripted = { ...(isReversed && { reverse: true }), ...requested.scripted };
  return withDeliveries(resolved, [...resolved.deliveries, delivery]);
}

/** Returns a transaction as it was before its last resends were requested. Until then, nothing of it was still to come. */
export function withoutResends(transaction: Transaction, count: number): Transaction {
  const { progress } = transaction;
  if (count === 0 || isUnresolved(progress)) return { ...transaction };
  const deliveries = progress.deliveries.slice(0, -count);
  const attempts = progress.attempts.filter(({ delivery }) => delivery <= deliveries.length);
  return { ...transaction, progress: withDeliveries(progress, deliveries, attempts) };
}

/** Returns how many later callbacks may go before the first of the transaction's callbacks that waits for them. */
export function callbacksAllowedAhead(transaction: Transaction | undefined): number {
  if (transaction === undefined || isUnresolved(transaction.progress)) return Infinity;
  const left = transaction.progress.deliveries.filter(waitsForLater).map(({ reorder = 0 }) => reorder || Infinity);
  return Math.min(Infinity, ...left);
}

/** Returns whether one of the transaction's callbacks is waiting for later ones to go first. */
export function isReordered({ progress }: Transaction): boolean {
  return !isUnresolved(progress) && progress.deliveries.some(waitsForLater);
}

/** A callback's turn, before it let any other pass. Of two with the same turn, the one that settled first goes first. */
export interface QueuePosition {
  readonly dueAt: Instant;
  readonly settledBy: number;
}

/** Returns the place of a delivery that has not been tried yet. */
export function queuePositionOf(resolved: Resolved, number: number): QueuePosition | undefined {
  const delivery = resolved.deliveries.find((one) => one.number === number);
  if (delivery === undefined || delivery.tries > 0 || delivery.next === "none") return undefined;
  return { dueAt: plannedAt(resolved.settled, number) ?? delivery.next.dueAt, settledBy: resolved.settledBy };
}

/** Returns when a delivery was planned to go; undefined if its settlement did not plan it. */
function plannedAt({ at, callback }: Settled, number: number): Instant | undefined {
  const planned = "deliveries" in callback ? callback.deliveries[number - 1] : undefined;
  return planned && at + planned.after;
}

/**
 * Records that another transaction's callback was sent. A callback that has now let enough later ones pass is due at its own turn, so it goes
 * before all others.
 */
export function countLaterSent(resolved: Resolved, sent: QueuePosition): Resolved {
  const deliveries = resolved.deliveries.map((delivery) =>
    isOvertakenBy(sent, delivery, resolved) ? afterLaterSent(delivery, resolved) : delivery,
  );
  return withDeliveries(resolved, deliveries);
}

/** A callback that has let enough others pass counts as waiting until it is sent. */
function waitsForLater({ reorder, tries }: Delivery): boolean {
  return reorder !== undefined && tries === 0;
}

function isOvertakenBy(sent: QueuePosition, delivery: Delivery, resolved: Resolved): boolean {
  if (!waitsForLater(delivery) || delivery.reorder === 0) return false;
  const own = queuePositionOf(resolved, delivery.number);
  return own !== undefined && (sent.dueAt > own.dueAt || (sent.dueAt === own.dueAt && sent.settledBy > own.settledBy));
}

function afterLaterSent(delivery: Delivery, { settled, settledBy }: Resolved): Delivery {
  const reorder = (delivery.reorder ?? 0) - 1;
  const dueAt = plannedAt(settled, delivery.number);
  return reorder > 0 || dueAt === undefined
    ? { ...delivery, reorder }
    : { ...delivery, reorder, next: { dueAt, plannedBy: settledBy } };
}

/** Returns whether something is still to come by itself: the result, its reversal, or a callback. Nothing is for a stuck one. */
export function isPending(transaction: Transaction): boolean {
  const { progress } = transaction;
  if (isUnresolved(progress)) return progress.state === "queued";
  return reversalAt(transaction) !== undefined || progress.deliveries.some(hasNextTry);
}

/** A function of its own: each checkpoint asks for every transaction, and a closure would be its largest part. */
function hasNextTry({ next }: Delivery): boolean {
  return next !== "none";
}

/** Returns whether a transaction may be evicted: it is settled, and nothing is pending. */
export function isEvictable(transaction: Transaction): boolean {
  return !isUnresolved(transaction.progress) && !isPending(transaction);
}

function newDelivery(number: number, cause: Delivery["cause"], next: Delivery["next"]): Delivery {
  return { number, cause, tries: 0, next };
}

/** Drops `begun`, which no longer matters once the outcome is known. */
function afterTry(
  { number, cause, tries, scripted, reorder }: Delivery,
  { retryAt }: Attempted,
  plannedBy: number,
): Delivery {
  const delivery: Writable<Delivery> = {
    number,
    cause,
    tries: tries + 1,
    next: retryAt === undefined ? "none" : { dueAt: retryAt, plannedBy },
  };
  if (scripted !== undefined) delivery.scripted = scripted;
  if (reorder !== undefined) delivery.reorder = reorder;
  return delivery;
}

/** Written out field by field: spreads of objects stored by the thousand would be most of a callback event's cost. */
function withDeliveries(resolved: Resolved, deliveries: readonly Delivery[], attempts = resolved.attempts): Resolved {
  const { state, settled, settledBy } = resolved;
  if (state === "reversed") return { state, settled, reversed: resolved.reversed, settledBy, deliveries, attempts };
  return { state, settled, settledBy, deliveries, attempts };
}
