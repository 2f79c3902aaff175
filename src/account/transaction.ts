import type { CallbackForm } from "../scenario/effects/callback-flags.ts";
import type { Instant, Millis } from "../domain/time.ts";
import type { Writable } from "../domain/writable.ts";
import type { Accepted, AttemptBegun, Attempted, ClientLeft, ResendRequested, Settled } from "./events.ts";

/** One accepted request and what has become of it so far. */
export interface Transaction {
  readonly accepted: Accepted;
  progress: Progress;
  /** The client did not wait for its acknowledgment. */
  left?: ClientLeft;
}

export type Progress = Queued | Stuck | Resolved;

export interface Queued {
  readonly state: "queued";
  readonly settlesAt: Instant;
}

/** Never settles, because a scenario says so; the control API may. */
export interface Stuck {
  readonly state: "stuck";
}

export interface Resolved {
  readonly state: "succeeded" | "failed";
  readonly settled: Settled;
  /** How many transactions settled before it. */
  readonly order: number;
  readonly deliveries: readonly Delivery[];
  readonly attempts: readonly Attempted[];
}

/** One sending of the callback, tried until it is acknowledged or the retry policy ends. */
export interface Delivery {
  readonly number: number;
  readonly cause: "result" | "resend";
  readonly tries: number;
  readonly next: { readonly dueAt: Instant } | "none";
  /** A try was begun whose outcome is not known; again, where that happened to the one before it too. */
  readonly begun?: "once" | "again";
  readonly form?: CallbackForm;
  /** So many later callbacks go first, unless the time for it runs out. */
  readonly letPass?: number;
}

export function begin(accepted: Accepted): Transaction {
  const { settleAfter } = accepted.plan;
  return { accepted, progress: settleAfter === "never" ? { state: "stuck" } : { state: "queued", settlesAt: accepted.at + settleAfter } };
}

export function settle(settled: Settled, order: number): Resolved {
  return { state: settled.outcome, settled, order, deliveries: deliveriesOf(settled), attempts: [] };
}

function deliveriesOf({ at, callback }: Settled): Delivery[] {
  if ("none" in callback) return [];
  if ("dueAt" in callback) return [firstTry(1, "result", callback.dueAt)];
  const { letPass } = callback;
  const patience = letPass > 0 ? REORDER_PATIENCE : 0;
  return callback.sendings.map(({ after, form }, index) => {
    const first: Writable<Delivery> = firstTry(index + 1, "result", at + after + patience);
    first.form = form;
    if (letPass > 0) first.letPass = letPass;
    return first;
  });
}

/** How long a callback waits for later ones to go first. */
const REORDER_PATIENCE: Millis = 5_000;

/** Whether a transaction may still settle. */
export function isUnsettled(progress: Progress): progress is Queued | Stuck {
  return progress.state === "queued" || progress.state === "stuck";
}

export function beginAttempt(resolved: Resolved, { delivery: number, possiblyRepeated }: AttemptBegun): Resolved {
  const begun = possiblyRepeated ? "again" : "once";
  return withDeliveries(
    resolved,
    resolved.deliveries.map((delivery) => (delivery.number === number ? { ...delivery, begun } : delivery)),
  );
}

export function recordAttempt(resolved: Resolved, attempted: Attempted): Resolved {
  const deliveries = resolved.deliveries.map((delivery) =>
    delivery.number === attempted.delivery ? tried(delivery, attempted) : delivery,
  );
  return withDeliveries(resolved, deliveries, [...resolved.attempts, attempted]);
}

export function addResend(resolved: Resolved, requested: ResendRequested): Resolved {
  const delivery: Writable<Delivery> = firstTry(resolved.deliveries.length + 1, "resend", requested.at);
  if (requested.form !== undefined) delivery.form = requested.form;
  return withDeliveries(resolved, [...resolved.deliveries, delivery]);
}

/** Whether one of its callbacks lets later ones go first. */
export function isLettingPass({ progress }: Transaction): boolean {
  return !isUnsettled(progress) && progress.deliveries.some(isWaiting);
}

/** When a callback's turn is: of two that are due together, the one that settled first goes first. */
export interface Turn {
  readonly dueAt: Instant;
  readonly order: number;
}

/** The turn of a delivery that has not been tried yet. */
export function turnOf({ deliveries, order }: Resolved, number: number): Turn | undefined {
  const delivery = deliveries.find((one) => one.number === number);
  return delivery === undefined || delivery.tries > 0 || delivery.next === "none" ? undefined : { dueAt: delivery.next.dueAt, order };
}

/** Another transaction's callback has gone: whoever has let enough of those behind it pass is due now. */
export function letOnePass(resolved: Resolved, gone: Turn, at: Instant): Resolved {
  const { order } = resolved;
  const deliveries = resolved.deliveries.map((delivery) => (isBehind(gone, delivery, order) ? passed(delivery, at) : delivery));
  return withDeliveries(resolved, deliveries);
}

/** One that has let enough pass is about to go, and stays among them until it has. */
function isWaiting({ letPass, tries }: Delivery): boolean {
  return letPass !== undefined && tries === 0;
}

function isBehind(gone: Turn, delivery: Delivery, order: number): boolean {
  if (!isWaiting(delivery) || delivery.letPass === 0 || delivery.next === "none") return false;
  const ownTurn = delivery.next.dueAt - REORDER_PATIENCE;
  return gone.dueAt > ownTurn || (gone.dueAt === ownTurn && gone.order > order);
}

function passed(delivery: Delivery, at: Instant): Delivery {
  const letPass = (delivery.letPass ?? 0) - 1;
  return { ...delivery, letPass, ...(letPass === 0 && { next: { dueAt: at } }) };
}

/** Nothing more happens to it by itself. */
export function isDone({ progress }: Transaction): boolean {
  if (isUnsettled(progress)) return progress.state === "stuck";
  return progress.deliveries.every((delivery) => delivery.next === "none");
}

/** Nothing more happens to it at all, so that it may be forgotten. */
export function isOver(transaction: Transaction): boolean {
  return transaction.progress.state !== "stuck" && isDone(transaction);
}

function firstTry(number: number, cause: Delivery["cause"], dueAt: Instant): Delivery {
  return { number, cause, tries: 0, next: { dueAt } };
}

/** Whether it had begun is of no more interest. */
function tried({ number, cause, tries, form, letPass }: Delivery, { retryAt }: Attempted): Delivery {
  const delivery: Writable<Delivery> = { number, cause, tries: tries + 1, next: retryAt === undefined ? "none" : { dueAt: retryAt } };
  if (form !== undefined) delivery.form = form;
  if (letPass !== undefined) delivery.letPass = letPass;
  return delivery;
}

/** Written out, because spreads of what is kept by the thousand cost most of a callback's event. */
function withDeliveries({ state, settled, order, attempts }: Resolved, deliveries: readonly Delivery[], made = attempts): Resolved {
  return { state, settled, order, deliveries, attempts: made };
}
