import type { Row } from "../../live/account-reading.ts";
import { bodyOf, type Draft } from "./draft.ts";

/** What has become of a request that this page sent. */
export type Outcome =
  | { readonly is: "waiting" }
  | { readonly is: "answered"; readonly answer: Head; readonly body: string; readonly millis: number }
  /** The connection broke: before anything came, or within the answer. */
  | { readonly is: "broken"; readonly answer?: Head; readonly body: string; readonly millis: number }
  | { readonly is: "given up"; readonly millis: number };

/** The beginning of an answer, as it came. */
export interface Head {
  readonly status: number;
  readonly statusText: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
}

export interface Sent {
  readonly draft: Draft;
  /** The number of the journal's last event when it was sent. */
  readonly after: number;
  /** Wall time. */
  readonly at: number;
  readonly outcome: Outcome;
}

/** What the journal has of a request, by the id that the answer names; else, since the client knows of none, by its content. */
export function rowsOf({ draft, after, outcome }: Omit<Sent, "at">, rows: readonly Row[]): readonly Row[] {
  const requestId = outcome.is === "answered" ? requestIdIn(outcome.body) : undefined;
  const later = rows.slice(rows.findLastIndex(({ request }) => request.number <= after) + 1);
  const named = later.filter(({ request }) => request.requestId === requestId);
  return named.length > 0 ? named : later.filter(({ request }) => isOf(draft, request));
}

/** The request_id of an acknowledgment or of a refusal. */
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
  // The journal keeps the beginning of a body that was no order.
  if (order === undefined) return body !== undefined && bodyOf(draft).startsWith(body);
  if (order.phoneNumber.slice(-NATIONAL) !== draft.phoneNumber.slice(-NATIONAL)) return false;
  return order.operation === "airtime" ? order.amount === Math.round(Number(draft.amount) * 100) : order.message === draft.message;
}

/** Digits that a number keeps in whatever form it was written. */
const NATIONAL = 9;

/** One sentence on what a lost connection means: the client sees less than the journal. Nothing where the answer says it all. */
export function explainOutcome(outcome: Outcome, rows: readonly Row[]): string | undefined {
  if (outcome.is === "answered") return undefined;
  const [row] = rows;
  if (outcome.is === "waiting") return row === undefined ? undefined : "The journal has it already.";
  if (outcome.is === "given up")
    return row === undefined ? "Nothing is known of it." : "The client has gone; what the journal has goes on without it.";
  if (row === undefined) return "Nothing came back, and the journal has no such request. Is the sandbox still running?";
  return `${sayBreak(outcome, row)}${sayRepeats(rows)}`;
}

function sayBreak({ body, answer }: Outcome & { readonly is: "broken" }, { transaction, request }: Row): string {
  const breakage = request.rules?.breakage;
  const cause = breakage === undefined ? "" : ` (${breakage}, as a scenario says)`;
  const when =
    answer === undefined ? "before an answer came" : `after ${body.length} ${body.length === 1 ? "character" : "characters"} of the answer`;
  if (transaction === undefined)
    return `The connection broke ${when}${cause}. It was not accepted, no money moved; a client cannot know that.`;
  return `The connection broke ${when}${cause}. It was accepted all the same and its price is held; a client that sends it again pays twice.`;
}

/** Browsers send a request again by themselves when a connection that was kept open breaks. */
function sayRepeats({ length }: readonly Row[]): string {
  return length > 1 ? ` This browser sent it ${length} times by itself, as some clients do.` : "";
}
