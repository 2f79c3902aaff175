import { isAcknowledged } from "../../domain/callback-outcome.ts";
import { type Kes, NO_MONEY } from "../../domain/kes.ts";
import type { Order } from "../../domain/order.ts";
import type { Accepted, Attempted, RequestEvent, Settled } from "../events.ts";
import { isUnresolved, latestResult, type Resolved, type Transaction } from "../transaction.ts";
import { type AnswerReading, answerOf } from "./answer.ts";
import { type CallbackReading, isReceived, readAttempt } from "./callback.ts";

/** One request: what was asked, answered, sold, delivered and paid, and what its backend can know of that. */
export interface RequestReading {
  readonly asked: Order | undefined;
  readonly answer: AnswerReading;
  readonly isAccepted: boolean;
  /** Whether it was accepted, and has not failed or been taken back. */
  readonly isSold: boolean;
  /** Whether it was accepted, and its result will never come. */
  readonly isStuck: boolean;
  /** Whether it was accepted, and its client read a refusal. Whatever the backend does then is right. */
  readonly isMisled: boolean;
  /** What reached the phone. */
  readonly delivered: DeliveredOrder | undefined;
  /** What came back when a success was taken back; undefined if none was. */
  readonly refunded: Kes | undefined;
  readonly charged: Kes;
  readonly held: Kes;
  /** What each callback that the receiver acknowledged said, in order. */
  readonly acknowledged: readonly CallbackMeaning[];
  readonly known: Known;
  /** Whether word of the outcome reached the backend: the gateway's own refusal, or a readable callback, acknowledged or not. */
  readonly isNotified: boolean;
  /** Whether a scenario dropped the callback, and nobody has sent it since. */
  readonly isSilenced: boolean;
}

export type DeliveredOrder =
  | { readonly phoneNumber: string; readonly amount: Kes }
  /** `parts` are those that arrived, if some were lost. */
  | { readonly phoneNumber: string; readonly message: string; readonly parts?: readonly number[] };

/**
 * What one callback told: a result under the order's own id, an id that nobody was given, or nothing that can be read. `reversed` is a failure
 * after the success was taken back.
 */
export type CallbackMeaning =
  | { readonly says: "delivered" | "failed" | "reversed"; readonly code: number }
  | { readonly says: "unknown_id" }
  | { readonly says: "unreadable"; readonly why: string };

/**
 * What a backend can know of a request from its answer and from the callbacks that its receiver acknowledged. `never_received`: a callback told
 * the result under the request's own id, which its client never got.
 */
type Known =
  | "nothing"
  | "accepted"
  | "refused"
  | "delivered"
  | "failed"
  | "delivered_then_failed"
  | "failed_then_delivered"
  | "delivered_then_reversed"
  | "unreadable"
  | "unknown_id"
  | "never_received";

/** What came after a request was accepted, or after its client left. */
type Aftermath = Partial<Pick<Transaction, "accepted" | "progress" | "left">>;

/** Reads a request, with its transaction if it was accepted. */
export function readRequest(event: RequestEvent, aftermath: Aftermath = {}): RequestReading {
  const { accepted, progress, left } = aftermath;
  const answer = answerOf(event, left);
  const isMisled = event.kind === "accepted" && answer.says === "refused";
  const acknowledged = meaningsOf(aftermath, ({ outcome }) => isAcknowledged(outcome));
  return {
    asked: "order" in event ? event.order : undefined,
    answer,
    isAccepted: event.kind === "accepted",
    isStuck: progress?.state === "stuck",
    isSold: progress !== undefined && progress.state !== "failed" && progress.state !== "reversed",
    isMisled,
    delivered: deliveredOf(aftermath),
    refunded: progress?.state === "reversed" ? progress.reversed.refund : undefined,
    ...moneyOf(accepted, progress),
    acknowledged,
    known: knownOf(answer, acknowledged),
    isNotified: isNotifiedOf(answer, aftermath),
    isSilenced: isSilenced(aftermath),
  };
}

function moneyOf(
  accepted: Accepted | undefined,
  progress: Transaction["progress"] | undefined,
): Pick<RequestReading, "charged" | "held"> {
  if (progress !== undefined && !isUnresolved(progress))
    return { charged: latestResult(progress).charge, held: NO_MONEY };
  return { charged: NO_MONEY, held: accepted?.hold ?? NO_MONEY };
}

export function readAccepted(transaction: Transaction): RequestReading {
  return readRequest(transaction.accepted, transaction);
}

function deliveredOf({ accepted, progress }: Aftermath): DeliveredOrder | undefined {
  if (accepted === undefined || progress === undefined || isUnresolved(progress)) return undefined;
  const { order } = accepted;
  const { settled } = progress;
  if (!hasArrived(settled)) return undefined;
  const { phoneNumber } = order;
  if (order.operation === "airtime") return { phoneNumber, amount: order.amount };
  return { phoneNumber, message: order.message, parts: settled.delivered };
}

/** Returns whether anything reached the phone: a message that failed may have arrived in part. */
export function hasArrived({ outcome, delivered = [] }: Settled): boolean {
  return outcome === "succeeded" || delivered.length > 0;
}

/** What the chosen callbacks told. */
function meaningsOf(
  { accepted, progress }: Aftermath,
  isMeant: (attempt: Attempted) => boolean,
): readonly CallbackMeaning[] {
  if (accepted === undefined || progress === undefined || isUnresolved(progress)) return [];
  const sender = { accepted, progress };
  const readings = progress.attempts.filter(isMeant).map((attempt) => readAttempt(attempt, sender));
  return readings.map((reading) => meaningOf(reading, sender));
}

/** Returns whether a callback told anything but the carrier's result. */
export function differsFromResult({ says }: CallbackMeaning, { settled }: Resolved): boolean {
  return says !== (settled.outcome === "succeeded" ? "delivered" : "failed");
}

/** Returns whether a good receiver refuses such a callback, too: one that it cannot read or does not know, or that contradicts another. */
export function isJustifiedRejection(
  { outcome }: Pick<Attempted, "outcome">,
  meaning: CallbackMeaning,
  resolved: Resolved,
): boolean {
  return outcome.kind === "answered" && outcome.status < 500 && differsFromResult(meaning, resolved);
}

/** Returns what a callback's reading tells about its own order. */
export function meaningOf(
  reading: CallbackReading,
  { accepted, progress }: Pick<Transaction, "accepted" | "progress">,
): CallbackMeaning {
  if (reading.says === "unreadable") return reading;
  const { says, id, code, charge } = reading;
  if (id !== accepted.requestId) return { says: "unknown_id" };
  const isReversal = says === "failed" && charge === 0 && progress.state === "reversed";
  return { says: isReversal ? "reversed" : says, code };
}

function knownOf(answer: AnswerReading, meanings: readonly CallbackMeaning[]): Known {
  return answer.says === "refused" ? "refused" : knownByCallbacks(meanings, answer.says === "accepted");
}

/** Returns what callbacks let a backend know. `isAnswered`: whether its client could read the answer. */
export function knownByCallbacks(meanings: readonly CallbackMeaning[], isAnswered: boolean): Known {
  const results = resultsIn(meanings);
  if (results.length > 0)
    return isAnswered ? (KNOWN_BY_RESULTS[results.slice(0, 2).join()] ?? "failed") : "never_received";
  const last = meanings.at(-1);
  if (last?.says === "unreadable" || last?.says === "unknown_id") return last.says;
  return isAnswered ? "accepted" : "nothing";
}

/** By the first two results; a reversal alone says that it failed. */
const KNOWN_BY_RESULTS: Readonly<Record<string, Known>> = {
  delivered: "delivered",
  "delivered,failed": "delivered_then_failed",
  "delivered,reversed": "delivered_then_reversed",
  "failed,delivered": "failed_then_delivered",
  "reversed,delivered": "failed_then_delivered",
};

/** Returns the results that callbacks told, each once, in order. */
export function resultsIn(meanings: readonly CallbackMeaning[]): readonly ("delivered" | "failed" | "reversed")[] {
  const results = meanings.flatMap(({ says }) =>
    says === "delivered" || says === "failed" || says === "reversed" ? [says] : [],
  );
  return [...new Set(results)];
}

/** Returns whether the backend could know the result, which contradictions do not tell. */
function isNotifiedOf(answer: AnswerReading, aftermath: Aftermath): boolean {
  const { progress } = aftermath;
  if (progress === undefined) return answer.says === "refused";
  if (answer.says !== "accepted") return false;
  const results = resultsIn(meaningsOf(aftermath, isReceived));
  if (progress.state === "reversed") return results.includes("reversed");
  const [truth, opposite] =
    progress.state === "succeeded" ? (["delivered", "failed"] as const) : (["failed", "delivered"] as const);
  return results.includes(truth) && !results.includes(opposite);
}

function isSilenced({ accepted, progress }: Aftermath): boolean {
  if (accepted === undefined || progress === undefined || isUnresolved(progress)) return false;
  // Without a URL, nothing would have been sent anyway.
  const { callback } = progress.settled;
  return progress.deliveries.length === 0 && "none" in callback && callback.none === accepted.plan.callback?.dropped;
}
