import type { Attempted } from "../../../gateway/account/events.ts";
import { callbackDueAt, callbackState } from "../../../gateway/account/readings/callback-status.ts";
import type { RequestRow } from "../../../gateway/account/readings/requests.ts";
import { formatDuration, type Instant, SECOND } from "../../../gateway/domain/time.ts";
import type { CallbackOutcome } from "../../../gateway/domain/callback-outcome.ts";
import type { AppliedRules } from "../../../gateway/scenario/applied-rules.ts";
import { phone } from "../../format.ts";
import type { Row } from "../../live/account-reading.ts";
import type { RowQuestion } from "../../live/row-reading.ts";

type Tone = "plain" | "good" | "warm" | "bad";

export const STATE_WORDS: Readonly<Record<RowState, { readonly word: string; readonly tone: Tone }>> = {
  queued: { word: "Queued", tone: "plain" },
  succeeded: { word: "Succeeded", tone: "good" },
  failed: { word: "Failed", tone: "bad" },
  stuck: { word: "Never settles", tone: "warm" },
  refused: { word: "Refused", tone: "warm" },
  cut: { word: "Connection cut", tone: "warm" },
  answered: { word: "Answered", tone: "plain" },
};

type Answered = Pick<Row, "request" | "transaction">;

/** "Failed 500", "Refused 402", "Queued". */
export function stateWords(row: Answered): { readonly text: string; readonly tone: Tone } {
  const { word, tone } = STATE_WORDS[stateOf(row)];
  const code = codeOf(row);
  return { text: code === undefined ? word : `${word} ${code}`, tone };
}

function codeOf(row: Answered): number | undefined {
  const state = stateOf(row);
  if (state === "refused") return row.request.statusCode;
  const { transaction } = row;
  return transaction?.progress.state === "failed" ? transaction.progress.settled.resultCode : undefined;
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

export const CALLBACK_WORDS = {
  pending: { word: "Pending", tone: "plain" },
  in_flight: { word: "In flight", tone: "plain" },
  delivered: { word: "Delivered", tone: "good" },
  undelivered: { word: "Undelivered", tone: "bad" },
  none: { word: "Not sent", tone: "plain" },
} as const;

/** Returns a question for the callbacks in a state, or for all of them if it is "". */
export function callbackQuestion(asked: string): RowQuestion<"state"> {
  return {
    asked: new Map([["state", asked]]),
    facetsOf: ({ transaction }, now) => {
      if (transaction === undefined) return undefined;
      const state = callbackState(transaction, now);
      return { values: { state }, until: state === "pending" ? callbackDueAt(transaction) : undefined };
    },
  };
}

interface CallbackWords {
  readonly text: string;
  readonly tone: Tone;
}

/** "500 ×2", "Delivered", "In flight". Returns undefined for a request that was not accepted. */
export function callbackWords({ transaction }: Pick<Row, "transaction">, now: Instant): CallbackWords | undefined {
  if (transaction === undefined) return undefined;
  const state = callbackState(transaction, now);
  const { word, tone } = CALLBACK_WORDS[state];
  const attempts = "attempts" in transaction.progress ? transaction.progress.attempts : [];
  const last = attempts.at(-1);
  if (state === "delivered" && attempts.length > 1) return { text: `${word} ×${attempts.length}`, tone };
  if (last === undefined || state === "delivered" || state === "none") return { text: word, tone };
  const outcome = outcomeWords(last);
  const times = attempts.filter(
    (attempt) => attempt.outcome.kind === last.outcome.kind && statusOf(attempt) === statusOf(last),
  ).length;
  const failed = times > 1 ? `${outcome} ×${times}` : outcome;
  return { text: state === "undelivered" ? failed : `${failed}, ${word.toLowerCase()}`, tone: "bad" };
}

/** Describes the outcome of an attempt: "500", "timed out 3.0 s", "refused". */
export function outcomeWords({ outcome, millis }: Pick<Attempted, "outcome" | "millis">): string {
  if ("status" in outcome) return String(outcome.status);
  return outcome.kind === "timed_out" ? `timed out ${(millis / SECOND).toFixed(1)} s` : OUTCOME_WORDS[outcome.kind];
}

const OUTCOME_WORDS: Readonly<Record<Exclude<CallbackOutcome["kind"], "answered" | "redirect" | "timed_out">, string>> =
  {
    refused: "refused",
    reset: "connection closed",
    unresolved_name: "name not found",
    tls: "no TLS",
    blocked: "not sent",
    abandoned: "given up",
    broken_off: "broken off",
  };

function statusOf({ outcome }: Pick<Attempted, "outcome">): number | undefined {
  return "status" in outcome ? outcome.status : undefined;
}

/** Describes what the client of an accepted request received. */
export function acknowledgmentWords({ ack, breakage }: Acknowledged = {}, clientWaits = false): string {
  if (clientWaits)
    return `The client is still waiting for its acknowledgment${after(ack, ", which is due ", " after the request")}.`;
  if (breakage !== undefined)
    return `Accepted, but the connection broke before the response (${breakage}): the client does not know.`;
  return `Acknowledged with ${ack?.status ?? 200}${after(ack, " after ")}${ack?.body === undefined ? "" : " and a scripted body"}.`;
}

type Acknowledged = Partial<Pick<AppliedRules, "ack" | "breakage">>;

function after(ack: Acknowledged["ack"], before: string, behind = ""): string {
  return ack === undefined || ack.delay === 0 ? "" : `${before}${formatDuration(ack.delay)}${behind}`;
}

/** The states of a request, in the order of the filter. */
export const ROW_STATES = ["queued", "succeeded", "failed", "stuck", "refused", "cut", "answered"] as const;
type RowState = (typeof ROW_STATES)[number];

/** Returns the state of a request: its transaction's state if it was accepted, otherwise how it was answered. */
export function stateOf({ request, transaction }: Answered): RowState {
  if (transaction !== undefined) return transaction.progress.state;
  if (request.statusCode === 0) return "cut";
  return request.statusCode === 200 ? "answered" : "refused";
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
