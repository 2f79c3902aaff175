import { describe } from "../../../gateway/account/readings/describe-event.ts";
import { describeTold } from "../../../gateway/account/readings/describe-told.ts";
import { answeredAfter, statusRead } from "../../../gateway/account/readings/answer.ts";
import { readRequest } from "../../../gateway/account/readings/request.ts";
import type { RequestRow } from "../../../gateway/account/readings/requests.ts";
import { isUnresolved, type Transaction } from "../../../gateway/account/transaction.ts";
import type { Attempted } from "../../../gateway/account/events.ts";
import { isAcknowledged } from "../../../gateway/domain/callback-outcome.ts";
import { outcomeWords } from "../../../gateway/domain/explain-outcome.ts";
import { formatDuration, type Instant, type Millis } from "../../../gateway/domain/time.ts";
import { phone } from "../../format.ts";
import type { Row } from "../../live/account-reading.ts";
import type { Tone } from "../../parts/parts.tsx";
import { isAnswerLost } from "./problems.ts";

/** A few words with the colour that they are shown in. */
export interface TonedText {
  readonly text: string;
  readonly tone: Tone;
}

type Answered = Pick<Row, "request" | "transaction">;

/** "asked 2×, sold 2×, told 1×" */
export function repeatWords({ asked }: Pick<Row, "asked">): string {
  const readings = asked.map(({ request, transaction }) => readRequest(request.event, transaction));
  const sold = readings.filter((one) => one.isSold).length;
  return `asked ${asked.length}×, sold ${sold}×, told ${readings.filter((one) => one.isTold).length}×`;
}

/** What became of a request in two or three words: "Sold, no answer", "Refused 402", "Succeeded". */
export function stateWords(row: Answered): TonedText {
  const { request, transaction } = row;
  const isLost = isAnswerLost(row);
  if (transaction === undefined) {
    if (isLost) return { text: "No answer, not sold", tone: "bad" };
    return request.statusCode === 200
      ? { text: "OK", tone: "plain" }
      : { text: `Refused ${request.statusCode}`, tone: "warm" };
  }
  const { state } = transaction.progress;
  if (!isLost) return STATES[state];
  return {
    text: `${state === "failed" || state === "reversed" ? STATES[state].text : "Sold"}, no answer`,
    tone: "bad",
  };
}

const STATES: Readonly<Record<Transaction["progress"]["state"], TonedText>> = {
  queued: { text: "Pending", tone: "plain" },
  stuck: { text: "No carrier result", tone: "warm" },
  failed: { text: "Failed", tone: "bad" },
  succeeded: { text: "Succeeded", tone: "good" },
  reversed: { text: "Reversed", tone: "bad" },
};

/** What the client received: a status, or "no answer". */
export function gotWords(row: Answered): TonedText {
  const { answer } = readRequest(row.request.event, row.transaction);
  const status = statusRead(answer);
  if (status === undefined) return { text: "no answer", tone: "bad" };
  const delay = answeredAfter(row.request.event);
  const text = delay === 0 ? String(status) : `${status} after ${formatDuration(delay)}`;
  if (isAnswerLost(row)) return { text, tone: "bad" };
  return { text, tone: status < 300 ? "plain" : "warm" };
}

/** The carrier's result in a word. Undefined for a request that was not accepted. */
export function carrierWords(row: Answered): TonedText | undefined {
  const { transaction } = row;
  if (transaction === undefined) return undefined;
  const { progress } = transaction;
  switch (progress.state) {
    case "queued":
      return { text: "pending", tone: "plain" };
    case "stuck":
      return { text: "none", tone: "warm" };
    case "failed":
      return { text: "failed", tone: "bad" };
    case "succeeded":
      return { text: String(progress.settled.resultCode), tone: isAnswerLost(row) ? "plain" : "good" };
    case "reversed":
      return { text: "reversed", tone: "bad" };
  }
}

/** Why the carrier failed it, if it did. */
function failureWords({ transaction }: Answered): string | undefined {
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
};

/** What the callbacks told a backend: "delivered, 2×". Undefined for a request that was not accepted, or has no result yet. */
export function callbackWords({ transaction }: Answered, now: Instant): TonedText | undefined {
  return transaction && describeTold(transaction, now);
}

function isDelivered({ outcome }: Attempted): boolean {
  return isAcknowledged(outcome);
}

/**
 * Why a request came out as it did: what was wrong with it, how its answer was lost, why the carrier or its callback failed, and the rules
 * that fired.
 * `limit` is the time limit for a receiver's answer.
 */
export function whyWords(row: Answered, limit: Millis): string {
  const { request } = row;
  const fired = request.rules?.fired.map(({ rule }) => rule) ?? [];
  return [refusalWords(request), lossWords(row), failureWords(row), callbackReason(row, limit), ...fired]
    .filter(Boolean)
    .join(" · ");
}

function refusalWords(request: RequestRow): string | undefined {
  const problems = fieldProblems(request);
  if (problems.length > 0)
    return problems
      .map(({ field, value, problem }) => `${field}${value === undefined ? "" : ` ${value}`}: ${problem}`)
      .join(" · ");
  return request.statusCode === 200 || request.statusCode === 0 ? undefined : (request.hint ?? request.description);
}

/** A field that the gateway refused, with what was sent in it. */
interface FieldProblem {
  readonly field: string;
  /** As JSON; undefined if it was missing, or the body is not JSON. */
  readonly value: string | undefined;
  readonly problem: string;
}

export function fieldProblems({ validationErrors = {}, body = "" }: RequestRow): readonly FieldProblem[] {
  const sent = readObject(body);
  return Object.entries(validationErrors).map(([field, lines]) => ({
    field,
    value: sent.has(field) ? JSON.stringify(sent.get(field)) : undefined,
    problem: lines.join(" "),
  }));
}

function readObject(body: string): ReadonlyMap<string, unknown> {
  try {
    const read: unknown = JSON.parse(body);
    return new Map(typeof read === "object" && read !== null ? Object.entries(read) : []);
  } catch {
    return new Map();
  }
}

/** How the answer was lost, if it was. */
export function lossWords(row: Answered): string | undefined {
  const { answer } = readRequest(row.request.event, row.transaction);
  if (!isAnswerLost(row) || !("why" in answer)) return undefined;
  return answer.says === "none" ? answer.why : "something else answered for the gateway";
}

function callbackReason({ transaction }: Answered, limit: Millis): string | undefined {
  if (transaction === undefined || isUnresolved(transaction.progress)) return undefined;
  const { attempts } = transaction.progress;
  const last = attempts.at(-1);
  if (last === undefined || attempts.some(isDelivered)) return undefined;
  const { repair } = describe(last, { limit });
  return `${outcomeWords(last)} (${hostOf(last.url)})${repair === undefined ? "" : `: ${repair}`}`;
}

function hostOf(url: string): string {
  return URL.canParse(url) ? new URL(url).host : url;
}

export const OPERATION_WORDS: Readonly<Record<RequestRow["operation"], string>> = {
  airtime: "Airtime",
  sms: "SMS",
  "account-details": "Account details",
  unknown: "Unknown",
};

/** "Airtime to +254 712 345 678", or the method and path if there is no recipient: "GET /api/v2/account-details". */
export function titleOf({ operation, method, path, phoneNumber }: RequestRow): string {
  if (phoneNumber === undefined || operation === "unknown") return `${method} ${path}`;
  return `${OPERATION_WORDS[operation]} to ${phone(phoneNumber)}`;
}

/** Returns the body of a refusal: the scenario's own, or the gateway's envelope (public facts, 7.6). */
export function envelopeOf({ answer, statusCode, description, validationErrors, requestId }: RequestRow): string {
  if (answer !== undefined) return answer;
  return JSON.stringify(
    { status_code: statusCode, description, validation_errors: validationErrors, request_id: requestId },
    undefined,
    2,
  );
}
