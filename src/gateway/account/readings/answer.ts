import { encodeAcknowledgment } from "../../contract/acknowledgment.ts";
import { formatDuration, type Instant, type Millis } from "../../domain/time.ts";
import type { AppliedRules, Breakage } from "../../scenario/effects/applied-rules.ts";
import type { ClientLeft, RequestEvent } from "../events.ts";
import { type AnswerForm, encodeAnswer } from "../wire.ts";
import { readObject } from "./json-object.ts";

/**
 * What a client can read from what it got: the gateway's acceptance under an id, the gateway's own refusal, something that says neither, or
 * nothing whole at all.
 */
export type AnswerReading =
  | { readonly says: "accepted"; readonly status: number; readonly id: string }
  | { readonly says: "refused"; readonly code: number }
  | { readonly says: "unclear"; readonly status: number; readonly why: string }
  | NoAnswer;

interface NoAnswer {
  readonly says: "none";
  readonly why: string;
  /** Whether its client decides itself when to give up. */
  readonly isEndless?: true;
  /** Whether the connection ended before a byte of it came. */
  readonly isSilent?: true;
}

/** A complete response. */
export interface ReceivedAnswer {
  readonly status: number;
  readonly body: string;
}

/** Reads a complete response as a client that knows the gateway's document does. */
export function readAnswer({ status, body }: ReceivedAnswer): AnswerReading {
  const fields = readObject(body);
  if (fields === undefined) return { says: "unclear", status, why: describeOther(status, body) };
  const { status_code: code, request_id: id, validation_errors: errors } = fields;
  const refusal = refusalCode(code, errors);
  if (refusal !== undefined) return { says: "refused", code: refusal };
  if (isOf2xx(status) && isSuccess(code, errors) && typeof id === "string") return { says: "accepted", status, id };
  return { says: "unclear", status, why: isOf2xx(status) ? "JSON that is no acknowledgment" : `HTTP ${status}` };
}

function isSuccess(code: unknown, errors: unknown): boolean {
  if (errors !== undefined && errors !== null) return false;
  return code === undefined || (typeof code === "number" && isOf2xx(code));
}

/** Returns the number that a client reads first: the code of a refusal, otherwise the HTTP status; undefined without an answer. */
export function statusSeen(answer: AnswerReading): number | undefined {
  if (answer.says === "refused") return answer.code;
  return answer.says === "none" ? undefined : answer.status;
}

/** Returns the code of a refusal in the gateway's own form; undefined if it is none. */
function refusalCode(code: unknown, errors: unknown): number | undefined {
  if (typeof code === "number") return isRefusalCode(code) ? code : undefined;
  return errors === undefined || errors === null ? undefined : 422;
}

/** 502 to 504 come from a proxy in front of the gateway. */
function isRefusalCode(code: number): boolean {
  return (code >= 400 && code < 500) || code === 500;
}

function isOf2xx(status: number): boolean {
  return status >= 200 && status < 300;
}

function describeOther(status: number, body: string): string {
  if (!isOf2xx(status)) return `HTTP ${status}`;
  return body.trim() === "" ? `HTTP ${status} without a body` : `HTTP ${status} with a body that is not JSON`;
}

/** Returns what the client of a request could read. `left` is set if it closed its connection before it had the response. */
export function answerOf(event: RequestEvent, left?: ClientLeft): AnswerReading {
  const { breakage } = brokenBy(event);
  if (breakage !== undefined && (breakage !== "drip" || event.kind === "cut")) return BROKEN[breakage];
  if (left !== undefined) return { says: "none", why: `your client left after ${formatDuration(left.waited)}` };
  return usualAnswer(event) ?? readAnswer(encodeAnswer(event, PARTS));
}

/** Nothing is encoded for what is answered as usual: it says what its event says. */
function usualAnswer(event: RequestEvent): AnswerReading | undefined {
  if (event.rules?.ack !== undefined || event.kind === "cut") return undefined;
  if (event.kind !== "refused") return { says: "accepted", status: 200, id: event.requestId };
  const { code, answer } = event;
  return answer === undefined && isRefusalCode(code) ? { says: "refused", code } : undefined;
}

/** What an answer says does not depend on its form, nor on what else account-details contain. */
export const ANSWER_FORM: AnswerForm = {
  refusals: { request_id: "id", validation: "full", sentences: "kredo" },
  http_status: "mirror",
  hints: false,
};
const PARTS = { form: ANSWER_FORM, encodeDetails: encodeAcknowledgment };

/**
 * Returns the response that the gateway meant to send, without the headers that its journal does not keep. Undefined if the journal does not
 * determine it, as of account details, or if nothing was to be sent.
 */
export function intendedAnswer(event: RequestEvent, form = ANSWER_FORM): ReceivedAnswer | undefined {
  if (event.kind === "queried" || event.kind === "cut") return undefined;
  return encodeAnswer(event, { ...PARTS, form });
}

function brokenBy(event: RequestEvent): Pick<AppliedRules, "breakage"> {
  return event.kind === "cut" ? event : (event.rules ?? {});
}

const BROKEN: Readonly<Record<Breakage, NoAnswer>> = {
  reset: { says: "none", why: "connection reset", isSilent: true },
  empty: { says: "none", why: "connection closed without an answer", isSilent: true },
  hang: { says: "none", why: "the answer never came", isEndless: true },
  truncate: { says: "none", why: "the answer was cut in half" },
  garbage: { says: "none", why: "the answer was not HTTP" },
  drip: { says: "none", why: "the answer came byte by byte and had no end", isEndless: true },
};

/** The wait between two bytes of a dripped body. */
export const DRIP: Millis = 100;

/** Returns how long after its request the last byte of a response came, or its connection broke; Infinity if only the client ended it. */
export function responseTime(event: RequestEvent): Millis {
  const { breakage } = brokenBy(event);
  const delay = event.rules?.ack?.delay ?? 0;
  if (breakage === undefined) return delay;
  if (breakage === "hang") return Infinity;
  return breakage === "drip" ? delay + new TextEncoder().encode(encodeAnswer(event, PARTS).body).length * DRIP : delay;
}

/** Returns whether the answer to a request waits until its callbacks have been sent. */
export function isAnsweredAfterCallbacks(event: RequestEvent): boolean {
  return event.kind === "accepted" && event.plan.callback?.before_ack === true;
}

/** Returns when a request arrived in wall time. A client's timers follow wall time, whatever the account's clock does. */
export function sentAt({ traits, at }: Pick<RequestEvent, "traits" | "at">): Instant {
  return traits?.wallAt ?? at;
}

/** Whether one of Kredo's own commands, or its page, sent a request: it belongs to nobody's backend. */
export function isOfKredo({ traits }: Pick<RequestEvent, "traits">): boolean {
  return traits?.isOfKredo === true;
}
