import { transmissionFault, spoiltBy } from "../../../gateway/scenario/effects/callback-flags.ts";
import type { Attempted } from "../../../gateway/account/events.ts";
import { readAttempts } from "../../../gateway/account/readings/attempts.ts";
import { isAcknowledged } from "../../../gateway/domain/callback-outcome.ts";
import { explainOutcome } from "../../../gateway/domain/explain-outcome.ts";
import type { Operation } from "../../../gateway/domain/order.ts";
import type { Millis } from "../../../gateway/domain/time.ts";
import type { Exchange } from "../../checks/finding.ts";
import { compileComparison } from "../../../gateway/scenario/comparison.ts";
import type { Verdict } from "../report.ts";
import type { CallbacksCheck } from "../check-schema.ts";
import {
  EVICTED,
  type Evidence,
  failed,
  notAssessed,
  notSettledYet,
  passed,
  describeCount,
  countUnsettled,
} from "./evidence.ts";

/** Judges how the application answered the callbacks that it was able to answer. */
export function gradeCallbacks(expected: CallbacksCheck, evidence: Evidence): Verdict {
  const tries = readAttempts(evidence.kept).filter((attempt) => isAbout(attempt, expected.operation, evidence));
  const bad = wrongAnswers(expected, tries.filter(isFair), evidence.state.settings.callbacks.timeout);
  if (bad.length > 0)
    return failed(
      joinAnswers(bad),
      bad.map(({ one }) => exchangeOfTry(one)),
    );
  if (!evidence.isComplete) return EVICTED;
  if (countUnsettled(evidence) > 0) return notSettledYet(countUnsettled(evidence));
  return gradeNumber(expected, tries, evidence);
}

/** Merges identical sentences about different attempts. */
function joinAnswers(bad: readonly WrongAnswer[]): string {
  const sentences = new Map<string, number>();
  for (const { words } of bad) sentences.set(words, (sentences.get(words) ?? 0) + 1);
  return [...sentences].map(([words, times]) => (times === 1 ? words : `${times} times: ${words}`)).join(" ");
}

interface WrongAnswer {
  readonly one: Attempted;
  readonly words: string;
}

function wrongAnswers(
  { acknowledged, acknowledged_within }: CallbacksCheck,
  fair: readonly Attempted[],
  timeout: Millis,
): WrongAnswer[] {
  if (acknowledged_within !== undefined) return late(fair, acknowledged_within, timeout);
  return acknowledged === undefined ? [] : unacknowledged(fair).map((one) => ({ one, words: explain(one, timeout) }));
}

function gradeNumber(
  { count, operation, ...expected }: CallbacksCheck,
  tries: readonly Attempted[],
  evidence: Evidence,
): Verdict {
  if (count !== undefined && !compileComparison(count)(tries.length))
    return failed(describeCount(tries.length, "try", "tries"), tries.map(exchangeOfTry));
  const fair = tries.filter(isFair);
  const asksForAnswers = expected.acknowledged !== undefined || expected.acknowledged_within !== undefined;
  if (asksForAnswers && fair.length === 0) return notAssessed(whatIsMissing(operation, evidence));
  return passed(describeSeen(tries, fair));
}

function isAbout({ requestId }: Attempted, operation: Operation | undefined, { state }: Evidence): boolean {
  return operation === undefined || state.transactions.get(requestId)?.accepted.order.operation === operation;
}

/** Callbacks that a scenario corrupted, or that the sandbox gave up or may not send, are not the receiver's fault. */
function isFair({ scripted = {}, outcome }: Attempted): boolean {
  const isSpoilt = spoiltBy(scripted) !== undefined || transmissionFault(scripted) !== undefined;
  return !isSpoilt && !["broken_off", "abandoned", "blocked"].includes(outcome.kind);
}

/** Returns the last attempt of each delivery that was never acknowledged. */
function unacknowledged(tries: readonly Attempted[]): Attempted[] {
  const last = new Map(tries.map((one) => [`${one.requestId} ${one.delivery}`, one]));
  return [...last.values()].filter(({ outcome }) => !isAcknowledged(outcome));
}

/** Every attempt counts, even if it was retried. */
function late(tries: readonly Attempted[], within: Millis, timeout: Millis): WrongAnswer[] {
  return tries
    .filter(({ outcome, millis }) => !isAcknowledged(outcome) || millis > within)
    .map((one) => ({
      one,
      words: isAcknowledged(one.outcome)
        ? `a callback was acknowledged after ${Math.round(one.millis)} ms.`
        : explain(one, timeout),
    }));
}

function explain({ attempt, outcome, url }: Attempted, timeout: Millis): string {
  return `${attempt === 1 ? "callback" : `try ${attempt} of a callback`}: ${explainOutcome(outcome, { url, timeout })}`;
}

function exchangeOfTry({ requestId, attempt }: Attempted): Exchange {
  return { kind: "callback", requestId, attempt };
}

function whatIsMissing(operation: Operation | undefined, { state, kept }: Evidence): string {
  const { urls } = state.settings.callbacks;
  const blocked = readAttempts(kept).find(({ outcome }) => outcome.kind === "blocked");
  if (blocked !== undefined)
    return "a callback that may be sent: start the sandbox with callback_allow, or pass the admin token";
  const asked = operation === undefined ? Object.keys(urls).length > 0 : urls[operation] !== undefined;
  return asked
    ? "at least one callback that no scenario corrupts; none was sent"
    : "a callback URL; add it to account.callbacks";
}

function describeSeen(tries: readonly Attempted[], fair: readonly Attempted[]): string {
  const slowest = Math.round(Math.max(0, ...fair.map(({ millis }) => millis)));
  const spoilt = tries.length - fair.length;
  const rest = spoilt === 0 ? "" : `; ${spoilt} corrupted by a scenario or never sent, not counted`;
  return `${describeCount(fair.length, "callback")}, the slowest answer after ${slowest} ms${rest}`;
}
