import { isAcknowledged } from "../../domain/callback-outcome.ts";
import { outcomeWords } from "../../domain/explain-outcome.ts";
import type { Instant } from "../../domain/time.ts";
import type { Attempted } from "../events.ts";
import { isUnresolved, type Transaction } from "../transaction.ts";
import { callbackState } from "./callback-status.ts";
import { describeKnown } from "./describe-order.ts";
import { readAccepted, type RequestReading } from "./request.ts";

/** What callbacks told a backend, in a few words, and whether that is well. */
export interface ToldWords {
  readonly text: string;
  readonly tone: "plain" | "good" | "warm" | "bad";
}

/**
 * Says what the callbacks of an accepted request told: "delivered, 2×", "unreadable: not JSON", "your receiver: 500 ×2", "nothing listening",
 * "never told", "not sent: no callback URL". Undefined while nothing is to be told.
 */
export function describeTold(transaction: Transaction, now: Instant): ToldWords | undefined {
  if (transaction.progress.state === "queued") return undefined;
  const reading = readAccepted(transaction);
  const state = callbackState(transaction, now);
  if (reading.isSilenced) return { text: "never told", tone: "warm" };
  if (state === "none") return { text: `not sent: ${whyNotSent(transaction)}`, tone: "plain" };
  return attemptedWords(transaction, reading, COMING[state]);
}

const COMING = { pending: "pending", in_flight: "in flight", delivered: "", undelivered: "" } as const;

function attemptedWords({ progress }: Transaction, reading: RequestReading, coming: string): ToldWords {
  const attempts = isUnresolved(progress) ? [] : progress.attempts;
  const last = attempts.findLast(isDelivered) ?? attempts.at(-1);
  if (last === undefined) return { text: coming, tone: "plain" };
  const told = isDelivered(last) ? toldText(reading) : attemptsText(attempts, last);
  const text = [told, coming].filter(Boolean).join(", ");
  if (!isDelivered(last)) return { text, tone: "bad" };
  return { text, tone: TONES[reading.known] ?? "warm" };
}

const TONES: Readonly<Partial<Record<RequestReading["known"], ToldWords["tone"]>>> = {
  delivered: "good",
  failed: "plain",
};

/** "delivered, 2×" */
function toldText(reading: RequestReading): string {
  const times = reading.told.length;
  return `${describeKnown(reading)}${times > 1 && reading.known in TONES ? `, ${times}×` : ""}`;
}

function attemptsText(attempts: readonly Attempted[], shown: Attempted): string {
  const words = outcomeWords(shown);
  const times = attempts.filter((attempt) => outcomeWords(attempt) === words).length;
  return times > 1 ? `${words} ×${times}` : words;
}

function isDelivered({ outcome }: Attempted): boolean {
  return isAcknowledged(outcome);
}

function whyNotSent({ progress }: Transaction): string {
  if (isUnresolved(progress)) return "no carrier result";
  const { callback } = progress.settled;
  return "none" in callback ? callback.none.replace(/^(no callback URL) registered for \w+$/, "$1") : "dropped";
}
