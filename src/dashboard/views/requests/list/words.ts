import { capital } from "../../../../gateway/account/readings/describe-event.ts";
import { describeMisleadingAnswer } from "../../../../gateway/account/readings/describe-order.ts";
import { describeTimes, joinInOrder } from "../../../../gateway/account/readings/describe-sale.ts";
import { describeCallbacks, type CallbackWords } from "../../../../gateway/account/readings/describe-callbacks.ts";
import { responseTime, statusSeen } from "../../../../gateway/account/readings/answer.ts";
import { readObject } from "../../../../gateway/account/readings/json-object.ts";
import type { RequestReading } from "../../../../gateway/account/readings/request.ts";
import type { RequestRow } from "../../../../gateway/account/readings/requests.ts";
import type { Attempted } from "../../../../gateway/account/events.ts";
import { isUnresolved, type Transaction } from "../../../../gateway/account/transaction.ts";
import { receiverSaid } from "../../../../gateway/account/readings/receiver-said.ts";
import { isAcknowledged } from "../../../../gateway/domain/callback-outcome.ts";
import { describeOutcome, outcomeWords } from "../../../../gateway/domain/explain-outcome.ts";
import { orderFields } from "../../../../gateway/domain/order.ts";
import { type Instant, SECOND } from "../../../../gateway/domain/time.ts";
import { orderTitle } from "../../../base/words.ts";
import type { Row } from "../../../live/sales.ts";
import { saleOf } from "../../../live/sales.ts";

/** A request, and what is read from it. */
interface One extends Pick<Row, "request" | "transaction"> {
  readonly reading: RequestReading;
}

type Sale = Pick<Row, "sale">;

function requestsOf(row: Sale): readonly One[] {
  const { requests } = saleOf(row);
  return row.sale.flatMap(({ request, transaction }, index) => {
    const reading = requests[index];
    return reading === undefined ? [] : [{ request, transaction, reading }];
  });
}

/** What is said of each request of a sale, in order, in the tone of the worst. Undefined if nothing is. */
function sumUp(row: Sale, words: (one: One) => CallbackWords | undefined): CallbackWords | undefined {
  const said = requestsOf(row).flatMap((one) => words(one) ?? []);
  const tone = TONES.find((worst) => said.some((one) => one.tone === worst));
  return tone && { text: joinInOrder(said.map(({ text }) => text)), tone };
}

const TONES = ["bad", "warm", "plain", "good"] as const;

/** "asked 2×, sold 2×, told 1×" */
export function repeatWords(row: Sale): string {
  return describeTimes(saleOf(row));
}

/** What became of a sale in a few words: "Sold, you got no answer", "Refused 402", "Succeeded", "Sold twice". */
export function stateWords(row: Sale): CallbackWords {
  if (saleOf(row).isSoldTwice) return { text: "Sold twice", tone: "bad" };
  return sumUp(row, stateOf) ?? PENDING;
}

const PENDING: CallbackWords = { text: "Pending", tone: "plain" };

function stateOf(one: One): CallbackWords {
  const { answer } = one.reading;
  const state = one.transaction && STATES[one.transaction.progress.state];
  if (answer.says === "refused") return state ?? { text: `Refused ${answer.code}`, tone: "warm" };
  if (answer.says === "accepted") return state ?? { text: "OK", tone: "plain" };
  const got = `you got ${answer.says === "none" ? "no answer" : answer.why}`;
  return { text: one.reading.asked === undefined ? capital(got) : `${endingOf(one)}, ${got}`, tone: "bad" };
}

function endingOf({ transaction, reading }: One): string {
  if (transaction === undefined) return "Not sold";
  return reading.isSold ? "Sold" : STATES[transaction.progress.state].text;
}

const STATES: Readonly<Record<Transaction["progress"]["state"], CallbackWords>> = {
  queued: PENDING,
  stuck: { text: "No carrier result", tone: "warm" },
  failed: { text: "Failed", tone: "bad" },
  succeeded: { text: "Succeeded", tone: "good" },
  reversed: { text: "Reversed", tone: "bad" },
};

/** What the client received: "200", "no answer"; in sum: "no answer, then 200 · sold twice". */
export function answerWords(row: Sale): CallbackWords {
  const got = sumUp(row, answerWordsOf) ?? { text: "", tone: "plain" };
  return saleOf(row).isSoldTwice ? { text: `${got.text} · sold twice`, tone: "bad" } : got;
}

function answerWordsOf({ request, reading }: One): CallbackWords {
  const { answer } = reading;
  const status = statusSeen(answer);
  if (status === undefined) return { text: "no answer", tone: "bad" };
  const delay = responseTime(request.event);
  const text =
    delay === 0
      ? String(status)
      : `${status} after ${delay < SECOND ? `${delay} ms` : `${Number((delay / SECOND).toFixed(1))} s`}`;
  return { text, tone: answer.says === "accepted" ? "plain" : answer.says === "refused" ? "warm" : "bad" };
}

/** The carrier's results in a word each, none of which is a callback's or a number. Undefined if no request was accepted. */
export function carrierWords(row: Sale): CallbackWords | undefined {
  return sumUp(row, carrierOf);
}

function carrierOf({ transaction }: One): CallbackWords | undefined {
  return transaction && CARRIER_WORDS[transaction.progress.state];
}

/** Failing is often right, so none of them has a colour. */
const CARRIER_WORDS: Readonly<Record<Transaction["progress"]["state"], CallbackWords>> = {
  queued: { text: "pending", tone: "plain" },
  stuck: { text: "none", tone: "plain" },
  failed: { text: "failed", tone: "plain" },
  succeeded: { text: "sold", tone: "plain" },
  reversed: { text: "reversed", tone: "plain" },
};

/** Why the carrier failed it, if it did. */
function failureWords({ transaction }: One): string | undefined {
  if (transaction?.progress.state !== "failed") return undefined;
  const { accepted, progress } = transaction;
  const { outcome, resultCode } = accepted.plan.result;
  const words = resultCode === progress.settled.resultCode ? FAILURES[outcome] : undefined;
  return words ?? progress.settled.resultDesc;
}

const FAILURES: Readonly<Record<string, string>> = {
  failed: "carrier error",
  rejected: "rejected by the carrier",
  not_on_network: "not on this network",
  timed_out: "carrier timed out",
  insufficient_funds: "balance too low",
  duplicate: "repeated order",
};

/** What the callbacks told a backend: "delivered, 2×". Undefined without an accepted request that has a result. */
export function callbackWords(row: Sale, now: Instant): CallbackWords | undefined {
  return sumUp(row, ({ transaction, reading }) => transaction && describeCallbacks(transaction, now, reading));
}

/**
 * Why a sale came out as it did: what was wrong with a request, how its answer was lost, why the carrier failed, what the receiver said of its
 * callback, and the rules that fired.
 */
export function whyWords(row: Sale): string {
  const reasons = requestsOf(row).flatMap((one) => [
    refusalWords(one),
    lossReason(one),
    describeMisleadingAnswer(one.reading),
    failureWords(one),
    callbackReason(one),
    ...(one.request.rules?.fired ?? []).map(({ rule }) => rule),
  ]);
  return [...new Set(reasons.filter(Boolean))].join(" · ");
}

function refusalWords({ request, reading: { answer } }: One): string | undefined {
  const problems = fieldProblems(request);
  if (problems.length > 0)
    return problems
      .map(({ field, value, problem }) => `${field}${value === undefined ? "" : ` ${value}`}: ${problem}`)
      .join(" · ");
  return answer.says === "refused" && request.event.kind === "refused"
    ? (request.hint ?? request.description)
    : undefined;
}

/** A field that the gateway refused, with what was sent in it. */
interface FieldProblem {
  readonly field: string;
  /** As JSON; undefined if it was missing, or the body is not JSON. */
  readonly value: string | undefined;
  readonly problem: string;
}

export function fieldProblems({ validationErrors, body = "", order }: RequestRow): readonly FieldProblem[] {
  if (validationErrors === undefined) return [];
  const sent: Readonly<Record<string, unknown>> = readObject(body) ?? { ...orderFields(order) };
  return Object.entries(validationErrors).map(([field, lines]) => ({
    field,
    value: Object.hasOwn(sent, field) ? JSON.stringify(sent[field]) : undefined,
    problem: lines.join(" "),
  }));
}

/** How the answer was lost, if it was. */
export function lossReason({ reading: { answer } }: Pick<One, "reading">): string | undefined {
  return "why" in answer ? answer.why : undefined;
}

/** The receiver's own words; without any, the cause and the address. */
function callbackReason(one: One): string | undefined {
  const last = failedAttempt(one);
  return last && (receiverSaid(last.outcome) ?? `${outcomeWords(last)} (${hostOf(last.url)})`);
}

/** How to repair the callbacks that failed, each with its cause: "nothing listening (127.0.0.1:3000): start the receiver". */
export function repairWords(row: Sale): string {
  const repairs = requestsOf(row).flatMap((one) => {
    const last = failedAttempt(one);
    const { repair } = last === undefined ? {} : describeOutcome(last.outcome, { url: last.url, timeout: 0 });
    return last === undefined || repair === undefined ? [] : `${outcomeWords(last)} (${hostOf(last.url)}): ${repair}`;
  });
  return [...new Set(repairs)].join(" · ");
}

/** Returns the last attempt of a callback that was never acknowledged. */
function failedAttempt({ transaction }: One): Attempted | undefined {
  if (transaction === undefined || isUnresolved(transaction.progress)) return undefined;
  const { attempts } = transaction.progress;
  return attempts.some(({ outcome }) => isAcknowledged(outcome)) ? undefined : attempts.at(-1);
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

/** "Airtime to +254 712 345 678", or the method and path if there is no recipient: "GET /api/v2/account-details". */
export function titleOf({ operation, method, path, phoneNumber }: RequestRow): string {
  if (phoneNumber === undefined || operation === "unknown") return `${method} ${path}`;
  return orderTitle({ operation, phoneNumber });
}
