import type { Instant } from "../../domain/time.ts";
import { outcomeWords } from "../../domain/explain-outcome.ts";
import type { Attempted } from "../events.ts";
import { isUnresolved, type Resolved, type Transaction } from "../transaction.ts";
import { readAttempt } from "./callback.ts";
import { callbackState } from "./callback-status.ts";
import { describeKnown, describeMeaning } from "./describe-order.ts";
import {
  differsFromResult,
  isJustifiedRejection,
  knownByCallbacks,
  readAccepted,
  type RequestReading,
  resultsIn,
  meaningOf,
} from "./request.ts";

/** What callbacks told a backend, in a few words, and whether that is well. */
export interface CallbackWords {
  readonly text: string;
  readonly tone: "plain" | "good" | "warm" | "bad";
}

/**
 * Says what the callbacks of an accepted request told: "delivered, 2×", "unreadable: not JSON", "your receiver: 500 ×2", "nothing listening",
 * "never told", "not sent: no callback URL". Undefined while nothing is to be told.
 */
export function describeCallbacks(
  transaction: Transaction,
  now: Instant,
  reading = readAccepted(transaction),
): CallbackWords | undefined {
  if (transaction.progress.state === "queued") return undefined;
  const state = callbackState(transaction, now);
  if (reading.isSilenced) return { text: "never told", tone: "warm" };
  if (state === "none")
    return { text: `not sent: ${whyNotSent(transaction)}`, tone: reading.isStuck ? "warm" : "plain" };
  const said = attemptedWords(transaction, reading);
  const coming = COMING[state];
  if (said === undefined) return { text: coming, tone: "plain" };
  return coming === "" ? said : { ...said, text: `${said.text}, ${coming}` };
}

const COMING = { pending: "pending", in_flight: "in flight", delivered: "", undelivered: "" } as const;

function attemptedWords({ accepted, progress }: Transaction, reading: RequestReading): CallbackWords | undefined {
  if (isUnresolved(progress)) return undefined;
  if (reading.acknowledged.length > 0) return meaningWords(progress, reading);
  const last = progress.attempts.at(-1);
  if (last === undefined) return undefined;
  const outcome = timesOf(progress.attempts, last);
  const sender = { accepted, progress };
  const meaning = meaningOf(readAttempt(last, sender), sender);
  if (!isJustifiedRejection(last, meaning, progress)) return { text: outcome, tone: "bad" };
  return { text: `${describeMeaning(meaning)}, ${outcome}`, tone: "warm" };
}

/** Says what the receiver acknowledged, also to a backend whose answer was a refusal. */
function meaningWords(progress: Resolved, { answer, acknowledged }: RequestReading): CallbackWords {
  const isAnswered = answer.says === "accepted" || answer.says === "refused";
  const text = describeKnown({ answer, acknowledged, known: knownByCallbacks(acknowledged, isAnswered) });
  const [result, other] = resultsIn(acknowledged);
  const same = acknowledged.filter(({ says }) => says === result);
  const isOpen = answer.says !== "accepted" || result === undefined || other !== undefined;
  if (isOpen || same.some((one) => differsFromResult(one, progress))) return { text, tone: "warm" };
  return { text: same.length > 1 ? `${text}, ${same.length}×` : text, tone: result === "delivered" ? "good" : "plain" };
}

function timesOf(attempts: readonly Attempted[], shown: Attempted): string {
  const words = outcomeWords(shown);
  const times = attempts.filter((attempt) => outcomeWords(attempt) === words).length;
  return times > 1 ? `${words} ×${times}` : words;
}

function whyNotSent({ progress }: Transaction): string {
  if (isUnresolved(progress)) return "no carrier result";
  const { callback } = progress.settled;
  return "none" in callback ? callback.none.replace(/^(no callback URL) registered for \w+$/, "$1") : "dropped";
}
