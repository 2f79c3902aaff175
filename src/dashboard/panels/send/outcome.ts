import type { Row } from "../../live/book.ts";
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
