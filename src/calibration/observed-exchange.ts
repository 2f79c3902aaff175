import { type AnswerReading, readAnswer } from "../gateway/account/readings/answer.ts";
import { type CallbackReading, readCallback } from "../gateway/account/readings/callback.ts";
import { isObject, readObject } from "../gateway/account/readings/json-object.ts";
import { findJsonExcess } from "../gateway/document/nesting.ts";

/** An exchange with the live gateway, as somebody captured it: an order and its response, a callback, or a body alone. */
export interface ObservedExchange {
  readonly request?: ObservedRequest;
  readonly status?: number;
  readonly headers?: Readonly<Record<string, string>>;
  /** JSON, parsed or as text. */
  readonly body?: unknown;
  /** The bodies as they were sent. Only they show how a number was written. */
  readonly text?: string;
  readonly at?: string;
  /** From a journal, which does not keep what a refusal had besides its code, its description and its errors. */
  readonly isPartial?: boolean;
}

export interface ObservedRequest {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: unknown;
}

/** The fields of a JSON object that somebody else wrote. */
export type ObservedFields = Readonly<Record<string, unknown>>;

/** Parses the bodies once, for everything that reads them. */
export function parseBodies({ request, body, ...exchange }: ObservedExchange): ObservedExchange {
  const texts = [body, request?.body].filter((one) => typeof one === "string");
  return {
    ...exchange,
    request: request && { ...request, body: toFields(request.body) },
    body: toFields(body),
    text: texts.join("\n"),
  };
}

/** Returns the response's fields, unless it is a callback. */
export function responseOf({ body }: ObservedExchange): ObservedFields | undefined {
  const fields = toFields(body);
  return fields !== undefined && isResponse(fields) ? fields : undefined;
}

/** Returns the fields of a refusal. */
export function refusalOf(exchange: ObservedExchange): ObservedFields | undefined {
  const fields = responseOf(exchange);
  return fields !== undefined && answerIn(fields, exchange).says === "refused" ? fields : undefined;
}

/** Without its status, only what the body says counts. */
function answerIn(fields: ObservedFields, { status = 200 }: ObservedExchange): AnswerReading {
  return readAnswer({ status, body: JSON.stringify(fields) });
}

/** Returns the sentences of a 422 by field, wherever they stand; empty for anything else. */
export function sentencesOf(exchange: ObservedExchange): Readonly<Record<string, readonly string[]>> {
  const refusal = refusalOf(exchange) ?? {};
  const errors = toFields(refusal["validation_errors"]);
  const isText = (value: unknown): boolean => errors !== undefined && typeof value === "string";
  return Object.fromEntries(
    Object.entries(errors ?? refusal).flatMap(([field, sentences]) =>
      Array.isArray(sentences) || isText(sentences) ? [[field, [sentences].flat().map(String)] as const] : [],
    ),
  );
}

/** Returns whether the gateway accepted an order. */
export function isAcknowledgment(exchange: ObservedExchange): boolean {
  const fields = responseOf(exchange);
  if (fields === undefined || fields["organization"] !== undefined) return false;
  return answerIn(fields, exchange).says === "accepted";
}

/** Returns the fields of an order, if the request was captured. */
export function orderFieldsOf({ request }: ObservedExchange): ObservedFields | undefined {
  const fields = toFields(request?.body);
  return fields?.["phone_number"] === undefined ? undefined : fields;
}

/** Returns the organization of account-details. */
export function shownOrganization(exchange: ObservedExchange): ObservedFields | undefined {
  return toFields(responseOf(exchange)?.["organization"]);
}

/** Returns the fields of a callback, which is the body alone or that of a request to the receiver. */
export function callbackOf(exchange: ObservedExchange): ObservedFields | undefined {
  return [exchange.body, exchange.request?.body].map(toFields).find((fields) => fields && isCallback(fields));
}

/** Returns what a callback says, whatever its headers, which few captures have. */
export function callbackReadingOf(exchange: ObservedExchange): CallbackReading | undefined {
  const fields = callbackOf(exchange);
  return fields && readCallback({ headers: { "content-type": "application/json" }, body: JSON.stringify(fields) });
}

/** Returns the headers of a callback, by their names in lower case, if the request to the receiver was captured. */
export function callbackHeadersOf(exchange: ObservedExchange): Readonly<Record<string, string>> | undefined {
  const { request } = exchange;
  const fields = toFields(request?.body);
  if (request?.headers === undefined || fields === undefined || !isCallback(fields)) return undefined;
  return Object.fromEntries(Object.entries(request.headers).map(([name, value]) => [name.toLowerCase(), value]));
}

/** Bodies are somebody else's, so what is nested too deep to be checked counts as text. */
export function toFields(value: unknown): ObservedFields | undefined {
  if (typeof value === "string") return findJsonExcess(value) === undefined ? readObject(value) : undefined;
  return isObject(value) ? value : undefined;
}

function isCallback(fields: ObservedFields): boolean {
  return "result_code" in fields && "request_id" in fields;
}

function isResponse(fields: ObservedFields): boolean {
  return !isCallback(fields) && ("status_code" in fields || "validation_errors" in fields);
}
