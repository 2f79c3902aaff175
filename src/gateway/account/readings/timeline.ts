import { formatKes } from "../../domain/kes.ts";
import { scriptedKeys } from "../../scenario/effects/callback-flags.ts";
import type { ScriptedCallback } from "../../scenario/effects/callback-flags.ts";
import { explainOutcome } from "../../domain/explain-outcome.ts";
import { formatDuration, type Instant, type Millis } from "../../domain/time.ts";
import type { AppliedRules } from "../../scenario/applied-rules.ts";
import type { Accepted, AttemptBegun, Attempted, Settled, TransactionEvent } from "../events.ts";
import type { AccountEvent } from "../account-event.ts";
import { isUnresolved, type Transaction } from "../transaction.ts";

/** One event of a transaction, in words. */
export interface TimelineEntry {
  readonly at: Instant;
  readonly event: TransactionEvent["kind"];
  readonly text: string;
}

/** Describes a transaction's events in order, even if its first events were evicted. `timeout` is the limit for an answer. */
export function readTimeline(
  transaction: Transaction,
  events: readonly AccountEvent[],
  timeout: Millis,
): TimelineEntry[] {
  const kept = events
    .filter(isTransactionEvent)
    .filter(({ requestId }) => requestId === transaction.accepted.requestId)
    .filter(hasNoOutcomeYet);
  const evicted = remembered(transaction).filter((event) => !kept.some((other) => isSame(event, other)));
  return [...evicted, ...kept].map((event) => ({ at: event.at, event: event.kind, text: tell(event, timeout) }));
}

export function isTransactionEvent(event: AccountEvent): event is TransactionEvent {
  return TRANSACTION_EVENTS.has(event.kind);
}

const TRANSACTION_EVENTS: ReadonlySet<AccountEvent["kind"]> = new Set([
  "accepted",
  "client-left",
  "settled",
  "attempt-begun",
  "attempted",
  "resend-requested",
]);

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
  const later = isUnresolved(progress) ? [] : [progress.settled, ...progress.attempts];
  return [accepted, ...[...(left === undefined ? [] : [left]), ...later].sort((one, other) => one.at - other.at)];
}

function isSame(one: TransactionEvent, other: TransactionEvent): boolean {
  if (one.kind !== "attempted") return one.kind === other.kind;
  return other.kind === "attempted" && one.attempt === other.attempt;
}

function tell(event: TransactionEvent, timeout: Millis): string {
  switch (event.kind) {
    case "accepted":
      return tellAccepted(event);
    case "client-left":
      return `The client left after ${event.waited.toLocaleString("en")} ms, before the acknowledgment.`;
    case "settled":
      return tellSettled(event);
    case "attempt-begun":
      return "An attempt was begun; its outcome is not known yet.";
    case "attempted":
      return tellAttempted(event, timeout);
    case "resend-requested":
      return "A resend of the callback was requested.";
  }
}

function tellAccepted({ carrier, ported, hold, plan, rules }: Accepted): string {
  const route = ported ? `${carrier}, ported` : carrier;
  const coming =
    plan.settleAfter === "never"
      ? "no result will come"
      : `the result is due after ${formatDuration(plan.settleAfter)}`;
  return `Accepted (${route}): KES ${formatKes(hold)} held, ${coming}.${describeRules(rules)}`;
}

function describeRules({ fired = [], ack, breakage }: Partial<AppliedRules> = {}): string {
  const rules =
    fired.length === 0 ? "" : ` Rules: ${fired.map(({ scenario, rule }) => `${scenario}: ${rule}`).join("; ")}.`;
  const late = ack === undefined || ack.delay === 0 ? "" : ` Acknowledged ${formatDuration(ack.delay)} later.`;
  return `${rules}${late}${breakage === undefined ? "" : ` The connection breaks instead (${breakage}).`}`;
}

function tellSettled({ outcome, resultCode, resultDesc, charge, unpaid, available, callback }: Settled): string {
  const excess =
    unpaid === undefined ? "" : ` A further KES ${formatKes(unpaid)} should have been charged but could not be paid.`;
  const sent = "none" in callback ? ` No callback: ${callback.none}.` : "";
  return `Settled as ${outcome} with result ${resultCode} (${resultDesc}): KES ${formatKes(charge)} charged, KES ${formatKes(available)} available.${excess}${sent}`;
}

function tellAttempted(
  { attempt, url, outcome, millis, scripted, possiblyRepeated }: Attempted,
  timeout: Millis,
): string {
  const again = possiblyRepeated ? " (possibly repeated: the sandbox stopped during the previous attempt)" : "";
  return `Attempt ${attempt}${again}${scripted === undefined ? "" : tellScripted(scripted)}, ${millis} ms: ${explainOutcome(outcome, { url, timeout })}`;
}

function tellScripted(scripted: ScriptedCallback): string {
  const words = scriptedKeys(scripted);
  const unmoved = scripted.contradict ? "; the wallet is unchanged" : "";
  return words.length === 0 ? " (scripted)" : ` (scripted: ${words.join(", ")}${unmoved})`;
}
