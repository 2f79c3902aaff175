import { kesAsNumber } from "../../domain/kes.ts";
import { RESULT_CODES } from "../../domain/order.ts";
import type { Attempted } from "../events.ts";
import { isUnresolved, type Transaction } from "../transaction.ts";
import { type CallbackForm, encodeSent } from "../wire.ts";
import { readObject } from "./json-object.ts";

/** What a receiver can read from a callback: an order's result, or why it can read none. */
export type CallbackReading =
  | {
      readonly says: "delivered" | "failed";
      readonly id: string;
      readonly code: number;
      /** In shillings, if it says so. */
      readonly charge: number | undefined;
    }
  | { readonly says: "unreadable"; readonly why: string };

/** A callback as it arrives, with the names of its headers in any case. */
export interface ReceivedCallback {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Reads a callback as a receiver that knows the gateway's document does. */
export function readCallback({ headers, body }: ReceivedCallback): CallbackReading {
  const type = contentTypeOf(headers);
  // RFC 9110, section 8.3.1: the names of types ignore case, and parameters follow after a semicolon.
  if (!/^application\/json\s*(;|$)/i.test(type)) return unreadable(`wrong type: ${type === "" ? "none" : type}`);
  const fields = readObject(body);
  if (fields === undefined) return unreadable("not JSON");
  const { request_id: id, result_code: written, charge } = fields;
  if (typeof id !== "string") return unreadable("no request_id");
  const code = numberIn(written);
  if (code === undefined) return unreadable("no result_code");
  return { says: saysOf(code), id, code, charge: numberIn(charge) };
}

/** What a result code says. */
export function saysOf(code: number): "delivered" | "failed" {
  return code === RESULT_CODES.success ? "delivered" : "failed";
}

function unreadable(why: string): CallbackReading {
  return { says: "unreadable", why };
}

function contentTypeOf(headers: ReceivedCallback["headers"]): string {
  for (const name in headers) if (name.toLowerCase() === "content-type") return (headers[name] ?? "").trim();
  return "";
}

/** The gateway writes numbers, or the same as text (public-facts.md). */
export function numberIn(value: unknown): number | undefined {
  if (typeof value === "number") return value;
  return typeof value === "string" && /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : undefined;
}

/** What determines the bytes of a transaction's callbacks. */
type Sender = Pick<Transaction, "accepted" | "progress">;

/** What a callback says does not depend on its form, but for the code of a failure. */
export const CALLBACK_FORM: CallbackForm = {
  callback_values: "numbers",
  decimals: "trimmed",
  result_codes: RESULT_CODES,
  result_desc: "kredo",
};

/** Reads what one attempt of a transaction said. `form` is that of its account, for the codes of contradictions. */
export function readAttempt(
  { headers, scripted }: Pick<Attempted, "headers" | "scripted">,
  { accepted: { order }, progress }: Sender,
  form = CALLBACK_FORM,
): CallbackReading {
  if (isUnresolved(progress)) return unreadable("not JSON");
  const { requestId, resultCode, charge } = progress.settled;
  // Nothing is encoded for what is sent as usual: it says what its result says.
  if (scripted === undefined && headers["content-type"] === "application/json")
    return { says: saysOf(resultCode), id: requestId, code: resultCode, charge: kesAsNumber(charge) };
  return readCallback({ headers, body: encodeSent({ order, progress }, scripted, form) });
}

/** Returns whether a callback carried other headers than its account sets, which a receiver may refuse for reasons of its own. */
export function hasForeignHeaders({ scripted }: Pick<Attempted, "scripted">): boolean {
  return scripted?.headers !== undefined;
}

/** Returns whether two attempts of one transaction sent the same bytes. */
export function isSameCallback(one: Attempted, other: Attempted, sender: Sender): boolean {
  return (
    sentBody(one, sender) === sentBody(other, sender) && JSON.stringify(one.headers) === JSON.stringify(other.headers)
  );
}

/** Returns the body that an attempt of a transaction sent, in the form of its account. */
export function sentBody(
  { scripted }: Pick<Attempted, "scripted">,
  { accepted: { order }, progress }: Sender,
  form = CALLBACK_FORM,
): string {
  return isUnresolved(progress) ? "" : encodeSent({ order, progress }, scripted, form);
}

/** How an attempt ended: what the receiver did, that it was never reached, or that the sandbox itself did not send it or gave it up. */
type CallbackEnd = "answered" | "redirected" | "silent" | "ended" | "unreached" | "given_up";

const ENDS: Readonly<Record<Attempted["outcome"]["kind"], CallbackEnd>> = {
  answered: "answered",
  redirect: "redirected",
  timed_out: "silent",
  reset: "ended",
  refused: "unreached",
  unresolved_name: "unreached",
  tls: "unreached",
  blocked: "given_up",
  abandoned: "given_up",
};

export function deliveryEndOf({ outcome }: Pick<Attempted, "outcome">): CallbackEnd {
  return ENDS[outcome.kind];
}

/** Returns whether the callback reached the receiver, whatever that answered. */
export function isReceived(attempt: Pick<Attempted, "outcome">): boolean {
  const end = deliveryEndOf(attempt);
  return end !== "unreached" && end !== "given_up";
}

/** Returns the status with which the receiver answered a callback; undefined if it did not. */
export function receiverStatus({ outcome }: Pick<Attempted, "outcome">): number | undefined {
  return "status" in outcome ? outcome.status : undefined;
}

/** Returns how far a callback got on its way: to its host's name, a connection, TLS, or the receiver's answer. */
export function stageReached({ kind }: Attempted["outcome"]): "name" | "connection" | "tls" | "answer" {
  if (kind === "unresolved_name") return "name";
  if (kind === "refused" || kind === "blocked") return "connection";
  return kind === "tls" ? "tls" : "answer";
}
