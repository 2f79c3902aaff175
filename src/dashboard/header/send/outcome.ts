import type { Row } from "../../live/account-reading.ts";
import { bodyOf, type Draft } from "./draft.ts";

/** The outcome of a request that this page sent. */
export type Outcome =
  | { readonly is: "waiting" }
  | { readonly is: "answered"; readonly answer: Head; readonly body: string; readonly millis: number }
  /** The connection broke before or during the response. */
  | { readonly is: "broken"; readonly answer?: Head; readonly body: string; readonly millis: number }
  | { readonly is: "given up"; readonly millis: number };

/** The status line and headers of a response, as received. */
export interface Head {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

export interface Sent {
  readonly draft: Draft;
  /** The number of the journal's last event when the request was sent. */
  readonly after: number;
  /** Wall time. */
  readonly at: number;
  readonly outcome: Outcome;
}

/** Returns the journal's rows for a request: by the request_id in the response, otherwise by its content. */
export function rowsOf({ draft, after, outcome }: Omit<Sent, "at">, rows: readonly Row[]): readonly Row[] {
  const requestId = outcome.is === "answered" ? requestIdIn(outcome.body) : undefined;
  const later = rows.slice(rows.findLastIndex(({ request }) => request.number <= after) + 1);
  const named = later.filter(({ request }) => request.requestId === requestId);
  return named.length > 0 ? named : later.filter(({ request }) => isOf(draft, request));
}

/** Returns the request_id of an acknowledgment or a refusal. */
function requestIdIn(body: string): string | undefined {
  try {
    const answer: unknown = JSON.parse(body);
    if (typeof answer !== "object" || answer === null || !("request_id" in answer)) return undefined;
    return typeof answer.request_id === "string" ? answer.request_id : undefined;
  } catch {
    return undefined;
  }
}

function isOf(draft: Draft, { order, body, operation }: Row["request"]): boolean {
  if (operation !== draft.operation) return false;
  // For an invalid order, the journal keeps only the beginning of the body.
  if (order === undefined) return body !== undefined && bodyOf(draft).startsWith(body);
  if (order.phoneNumber.slice(-NATIONAL) !== draft.phoneNumber.slice(-NATIONAL)) return false;
  return order.operation === "airtime"
    ? order.amount === Math.round(Number(draft.amount) * 100)
    : order.message === draft.message;
}

/** The digits that are the same in every notation of a number. */
const NATIONAL = 9;

/** Explains what a lost connection means, because the client sees less than the journal. Returns undefined if the response is complete. */
export function explainOutcome(outcome: Outcome, rows: readonly Row[]): string | undefined {
  if (outcome.is === "answered") return undefined;
  const [row] = rows;
  if (outcome.is === "waiting") return row === undefined ? undefined : "Already in the journal.";
  if (outcome.is === "given up")
    return row === undefined ? "It is not in the journal." : "The client gave up; the request continues without it.";
  if (row === undefined) return "Nothing came back, and the journal has no such request. Is the sandbox still running?";
  return `${sayBreak(outcome, row)}${sayRepeats(rows)}`;
}

function sayBreak({ body, answer }: Outcome & { readonly is: "broken" }, { transaction, request }: Row): string {
  const breakage = request.rules?.breakage;
  const cause = breakage === undefined ? "" : ` (${breakage}, scripted by a scenario)`;
  const when =
    answer === undefined
      ? "before any response"
      : `after ${body.length} ${body.length === 1 ? "character" : "characters"} of the response`;
  if (transaction === undefined)
    return `The connection broke ${when}${cause}. It was not accepted and no money moved, but a client cannot know that.`;
  return `The connection broke ${when}${cause}. It was accepted anyway and its price is held; a client that sends it again pays twice.`;
}

/** Browsers repeat a request on their own if a kept-alive connection breaks. */
function sayRepeats({ length }: readonly Row[]): string {
  return length > 1 ? ` This browser sent it ${length} times by itself, as some clients do.` : "";
}
