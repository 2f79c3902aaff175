import { callbackStatus } from "../../../account/readings/callback-status.ts";
import type { RequestRow } from "../../../account/readings/requests.ts";
import { formatDuration, type Millis } from "../../../domain/time.ts";
import type { AppliedRules } from "../../../scenario/applied-rules.ts";
import { phone } from "../../format.ts";
import type { Row } from "../../live/book.ts";

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

/** "Failed 500", "Refused 402", "Queued". */
export function stateWords(row: Row): { readonly text: string; readonly tone: Tone } {
  const { word, tone } = STATE_WORDS[stateOf(row)];
  const code = codeOf(row);
  return { text: code === undefined ? word : `${word} ${code}`, tone };
}

function codeOf(row: Row): number | undefined {
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

/** "Airtime to +254 712 345 678"; where nobody is named, the way: "GET /api/v2/account-details". */
export function titleOf({ operation, method, path, order }: RequestRow): string {
  return order === undefined ? `${method} ${path}` : `${OPERATION_WORDS[operation]} to ${phone(order.phoneNumber)}`;
}

const CALLBACK_WORDS = {
  pending: { word: "Pending", tone: "plain" },
  delivered: { word: "Delivered", tone: "good" },
  undelivered: { word: "Undelivered", tone: "bad" },
  none: { word: "Not sent", tone: "plain" },
} as const;

interface CallbackWords {
  readonly text: string;
  readonly tone: Tone;
}

/** How far the callback is; nothing for a request that was not accepted. */
export function callbackWords({ transaction }: Row, timeout: Millis): CallbackWords | undefined {
  if (transaction === undefined) return undefined;
  const { state } = callbackStatus(transaction, timeout);
  const { word, tone } = CALLBACK_WORDS[state];
  const tries = "attempts" in transaction.progress ? transaction.progress.attempts.length : 0;
  return { text: tries > 1 ? `${word} ×${tries}` : word, tone };
}

/** What the client got at once for a request that was accepted. */
export function acknowledgmentWords({ ack, breakage }: Partial<Pick<AppliedRules, "ack" | "breakage">> = {}): string {
  if (breakage !== undefined)
    return `Accepted, and then its connection broke instead of an answer (${breakage}): the client does not know.`;
  const status = ack?.status ?? 200;
  const late = ack === undefined || ack.delay === 0 ? "" : ` after ${formatDuration(ack.delay)}`;
  return `Acknowledged with ${status}${late}${ack?.body === undefined ? "" : " and a scripted body"}.`;
}

/** What can have become of a request, in the order of the filter. */
export const ROW_STATES = ["queued", "succeeded", "failed", "stuck", "refused", "cut", "answered"] as const;
type RowState = (typeof ROW_STATES)[number];

/** What has become of a request: of an accepted one its transaction's state, of any other how it was answered. */
export function stateOf({ request, transaction }: Row): RowState {
  if (transaction !== undefined) return transaction.progress.state;
  if (request.statusCode === 0) return "cut";
  return request.statusCode === 200 ? "answered" : "refused";
}

/** What a refused client got as its body: the scenario's own, or the gateway's envelope (public facts, 7.6). */
export function envelopeOf({ answer, statusCode, description, validationErrors, requestId }: RequestRow): string {
  if (answer !== undefined) return answer;
  return JSON.stringify({ status_code: statusCode, description, validation_errors: validationErrors, request_id: requestId }, undefined, 2);
}
