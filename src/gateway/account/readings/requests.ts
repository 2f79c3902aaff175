import { SUCCESS_DESCRIPTION, type ValidationErrors } from "../../domain/refusal.ts";
import { type Kes, parseKes } from "../../domain/kes.ts";
import { type Endpoint, type Order, GATEWAY_PATHS } from "../../domain/order.ts";
import type { Instant } from "../../domain/time.ts";
import type { AppliedRules } from "../../scenario/effects/applied-rules.ts";
import { isBeginning, isRequestEvent } from "../event-guards.ts";
import type { RequestEvent, RequestRefused } from "../events.ts";
import { type JournalSlice, shownEvents } from "./journal-slice.ts";

/** One request to the gateway and its response. */
export interface RequestRow {
  readonly number: number;
  readonly event: RequestEvent;
  readonly at: Instant;
  readonly requestId: string;
  readonly operation: Endpoint | "unknown";
  readonly method: string;
  readonly path: string;
  /** 0 if a scenario broke the connection before the request was accepted. */
  readonly statusCode: number;
  readonly description: string;
  readonly order?: Order;
  /** The recipient; exactly as sent if the request was invalid. */
  readonly phoneNumber?: string;
  /** The consumer key in the request, if no account has it. */
  readonly unknownKey?: string;
  readonly validationErrors?: ValidationErrors;
  readonly hint?: string;
  /** The first 4 KB of the body, if the request was invalid. */
  readonly body?: string;
  readonly rules?: AppliedRules;
  /** The raw body that a scenario sent instead of the envelope. */
  readonly answer?: string;
  /** The client's trace context. */
  readonly traceparent?: string;
}

/** Reads the requests from a journal, oldest first. */
export function readRequests(kept: JournalSlice): RequestRow[] {
  const shown = shownEvents(kept);
  const begin = shown.findLastIndex(({ event }) => isBeginning(event));
  return shown
    .slice(Math.max(begin, 0))
    .flatMap(({ number, event }) => (isRequestEvent(event) ? [rowOf(number, event)] : []));
}

export function rowOf(number: number, event: RequestEvent): RequestRow {
  const { at, requestId, traits: { traceparent } = {} } = event;
  const received = { number, event, at, requestId, traceparent, rules: event.rules };
  if (event.kind === "queried") return { ...received, ...requestLine(undefined), ...SUCCESS };
  if (event.kind === "accepted") return { ...received, ...requestLine(event.order), ...SUCCESS };
  if (event.kind === "cut")
    return {
      ...received,
      ...requestLine(event.order),
      statusCode: 0,
      description: `The connection broke before acceptance (${event.breakage}).`,
    };
  return { ...received, ...refusedRow(event) };
}

function requestLine(
  order: Order | undefined,
): Pick<RequestRow, "operation" | "method" | "path" | "order" | "phoneNumber"> {
  if (order === undefined)
    return { operation: "account-details", method: "GET", path: GATEWAY_PATHS["account-details"] };
  return {
    operation: order.operation,
    method: "POST",
    path: GATEWAY_PATHS[order.operation],
    order,
    phoneNumber: order.phoneNumber,
  };
}

function refusedRow(event: RequestRefused): Omit<RequestRow, "number" | "event" | "at" | "requestId"> {
  const { method, path, operation = "unknown", code: statusCode, description, order } = event;
  const { unknownKey, validationErrors, hint, body, answer } = event;
  const { phoneNumber } = fieldsOf(event);
  const line = { operation, method, path, statusCode, description, order, phoneNumber } satisfies Partial<RequestRow>;
  return { ...line, unknownKey, validationErrors, hint, body, answer };
}

/** What a request said, whether or not it was valid. */
interface RequestFields {
  readonly phoneNumber?: string;
  readonly amount?: Kes;
  readonly message?: string;
  readonly senderId?: string;
}

/** Returns the fields of an order; of an invalid request, those in its body, as they were sent. */
export function fieldsOf({ order, body }: Pick<RequestRow, "order" | "body">): RequestFields {
  if (order !== undefined) return order;
  const { phone_number: phoneNumber = "", amount = "", message, sender_id: senderId } = writtenFields(body);
  const isShown = phoneNumber !== "" && phoneNumber.length <= LONGEST_NUMBER;
  return { phoneNumber: isShown ? phoneNumber : undefined, amount: parseKes(amount), message, senderId };
}

/** The most characters that a phone number is shown with. */
const LONGEST_NUMBER = 40;

const FIELD = /"(phone_number|amount|message|sender_id)"\s*:\s*("(?:[^"\\]|\\.)*"|[-\d][\d.eE+-]*)/g;

/** A text that goes on after the end of what is kept of the body. Only of a message is a part worth as much. */
const CUT_MESSAGE = /"message"\s*:\s*("(?:[^"\\]|\\(?:[^u]|u[\da-fA-F]{4}))*)(?:\\(?:u[\da-fA-F]{0,3})?)?$/;

/**
 * Extracts fields from a body that may be cut off or not JSON at all. Quotes inside a message are escaped, so message text is never taken
 * for a field.
 */
function writtenFields(body = ""): Readonly<Record<string, string>> {
  const [, cut] = CUT_MESSAGE.exec(body) ?? [];
  const fields = [...body.matchAll(FIELD)].map(([, name = "", value = ""]) => [name, readValue(value)]);
  return Object.fromEntries(cut === undefined ? fields : [...fields, ["message", readValue(`${cut}"`)]]);
}

function readValue(written: string): string {
  try {
    return String(JSON.parse(written));
  } catch {
    return written.replaceAll(/^"|"$/g, "");
  }
}

const SUCCESS = { statusCode: 200, description: SUCCESS_DESCRIPTION } as const;
