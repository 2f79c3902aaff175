import { type Kes, NO_MONEY, showKes, subtractKes } from "../../domain/kes.ts";
import type { Instant } from "../../domain/time.ts";
import type { AccountEvent } from "../account-event.ts";
import { isTransactionEvent } from "../event-guards.ts";
import type { AttemptBegun, Attempted, Reversed, TransactionEvent } from "../events.ts";
import { isUnresolved, type Resolved, type Transaction } from "../transaction.ts";
import { asSentence, capital, describe, type EventContext, type EventWords, firedRules } from "./describe-event.ts";

/** One event of a transaction, in words. */
export interface TimelineEntry {
  readonly at: Instant;
  readonly event: TransactionEvent["kind"];
  readonly title: string;
  readonly text: string;
  readonly tone: EventWords["tone"];
  /** The same in two parts, without sums: "Result 200" and "Message delivered.", "Callback 1 said: delivered, result 200" and "your receiver answered 200 in 4 ms". */
  readonly brief: readonly [title: string, happened: string];
  readonly repair?: string | undefined;
  /** The money that it moved. */
  readonly moved?: Movement | undefined;
  /** Which attempt it tells of. */
  readonly attempt?: number;
}

/** What became of an order's money. What is held or charged is negative, what comes back positive. */
export interface Movement {
  readonly amount: Kes;
  readonly word: "held" | "charged" | "released" | "returned";
  /** What can be spent after it, if its event tells. */
  readonly available?: Kes;
}

/** Describes a transaction's events in order, even if its first events were evicted. */
export function readTimeline(
  transaction: Transaction,
  events: readonly AccountEvent[],
  context: Pick<EventContext, "limit" | "form">,
): TimelineEntry[] {
  const kept = events
    .filter(isTransactionEvent)
    .filter(({ requestId }) => requestId === transaction.accepted.requestId)
    .filter(hasNoOutcomeYet);
  const evicted = remembered(transaction).filter((event) => !kept.some((other) => isSame(event, other)));
  return [...evicted, ...kept].map((event) => entryOf(event, { ...context, transaction }));
}

function entryOf(event: TransactionEvent, context: EventContext): TimelineEntry {
  const { said, ...words } = describe(event, { ...context, receiver: "your receiver" });
  const rules = event.kind === "accepted" ? firedRules(event.rules) : [];
  const text = `${sentenceOf(event, words)}${rules.length === 0 ? "" : ` Rules: ${rules.join("; ")}.`}`;
  const title = `${capital(words.title)}${said === undefined ? "" : ` said: ${said}`}`;
  return {
    at: event.at,
    event: event.kind,
    title,
    text,
    tone: words.tone,
    brief: briefOf(event, title, words),
    repair: words.repair,
    moved: context.transaction && movedBy(event, context.transaction),
    ...(event.kind === "attempted" && { attempt: event.attempt }),
  };
}

function briefOf(event: TransactionEvent, title: string, words: EventWords): TimelineEntry["brief"] {
  if (event.kind === "settled" || event.kind === "reversed") {
    const unpaid =
      "unpaid" in event && event.unpaid !== undefined ? ` KES ${showKes(event.unpaid)} more could not be paid.` : "";
    return [`${title} ${event.resultCode}`, `${event.resultDesc}${unpaid}`];
  }
  if (event.kind !== "attempted") return [title, words.outcome];
  const [took, ...details] = words.details;
  const isAnswered = event.outcome.kind === "answered";
  return [title, [`${words.outcome}${isAnswered ? ` in ${took}` : ""}`, ...details].join(", ")];
}

/** A charge takes the place of its hold, so it is the only movement of a result. */
function movedBy(event: TransactionEvent, { accepted }: Pick<Transaction, "accepted">): Movement | undefined {
  if (accepted.hold === 0 && event.kind === "accepted") return undefined;
  if (event.kind === "accepted") return { amount: negative(event.hold), word: "held" };
  if (event.kind === "reversed")
    return event.refund === 0 ? undefined : { amount: event.refund, word: "returned", available: event.available };
  if (event.kind !== "settled") return undefined;
  const { charge, available } = event;
  if (charge > 0) return { amount: negative(charge), word: "charged", available };
  return accepted.hold === 0 ? undefined : { amount: accepted.hold, word: "released", available };
}

function negative(amount: Kes): Kes {
  return subtractKes(NO_MONEY, amount);
}

/** "Your receiver answered 200 in 4 ms." */
function sentenceOf(event: TransactionEvent, words: EventWords): string {
  if (event.kind !== "attempted" || event.outcome.kind !== "answered") return asSentence(words);
  const [took, ...details] = words.details;
  return asSentence({ ...words, outcome: `${words.outcome} in ${took}`, details });
}

/** The beginning of an attempt is only worth mentioning if its outcome is unknown. */
function hasNoOutcomeYet(event: TransactionEvent, place: number, all: readonly TransactionEvent[]): boolean {
  return event.kind !== "attempt-begun" || followerOf(event, all.slice(place + 1))?.kind !== "attempted";
}

function followerOf(
  { delivery }: AttemptBegun,
  later: readonly TransactionEvent[],
): AttemptBegun | Attempted | undefined {
  return later
    .filter((event) => event.kind === "attempt-begun" || event.kind === "attempted")
    .find((event) => event.delivery === delivery);
}

/** Rebuilds events from the state. A client that left at the same moment as another event left first. */
function remembered({ accepted, left, progress }: Transaction): TransactionEvent[] {
  const later = isUnresolved(progress) ? [] : [progress.settled, ...reversalOf(progress), ...progress.attempts];
  return [accepted, ...[...(left === undefined ? [] : [left]), ...later].sort((one, other) => one.at - other.at)];
}

function reversalOf(resolved: Resolved): Reversed[] {
  return resolved.state === "reversed" ? [resolved.reversed] : [];
}

function isSame(one: TransactionEvent, other: TransactionEvent): boolean {
  if (one.kind !== "attempted") return one.kind === other.kind;
  return other.kind === "attempted" && one.attempt === other.attempt;
}
