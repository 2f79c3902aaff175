import { SUCCESS_DESCRIPTION } from "../gateway/domain/refusal.ts";
import { toFields, type ObservedExchange, type ObservedFields } from "./observed-exchange.ts";

/**
 * Returns the exchange in a captured value: an entry of a HAR, an exchange of Kredo's control API, an event of an account's export, a line of
 * `{request, status, headers, body, at}`, or a body alone. Undefined if it is none of them.
 */
export function exchangeIn(captured: unknown): ObservedExchange | undefined {
  const fields = toFields(captured);
  if (fields === undefined) return undefined;
  if ("startedDateTime" in fields) return entryOfHar(fields);
  if ("received_at" in fields && "response" in fields) return storedExchange(fields);
  if ("kind" in fields) return eventOfExport(fields);
  return "body" in fields || "request" in fields ? lineOf(fields) : { body: captured };
}

/** The text of a body still shows how its numbers were written. */
function lineOf(fields: ObservedFields): ObservedExchange {
  const request = toFields(fields["request"]);
  return {
    ...(request && { request: requestOf(request, request["body"]) }),
    ...statusOf(fields),
    headers: headersOf(fields["headers"]),
    body: fields["body"],
    at: momentOf(fields["at"]),
    isPartial: fields["isPartial"] === true,
  };
}

/** An entry of a HAR 1.2 file. Its response ended `time` milliseconds after it started. */
function entryOfHar(fields: ObservedFields): ObservedExchange {
  const [request, response] = [toFields(fields["request"]), toFields(fields["response"])];
  const at = momentOf(fields["startedDateTime"], Number(fields["time"]));
  if (request === undefined) return {};
  return {
    request: requestOf(request, toFields(request["postData"])?.["text"]),
    ...statusOf(response),
    headers: headersOf(response?.["headers"]),
    body: contentOf(toFields(response?.["content"])),
    at,
  };
}

function contentOf(content: ObservedFields | undefined): unknown {
  const text = content?.["text"];
  if (content?.["encoding"] !== "base64" || typeof text !== "string") return text;
  return Buffer.from(text, "base64").toString("utf8");
}

function storedExchange(fields: ObservedFields): ObservedExchange {
  const [request, response] = [toFields(fields["request"]), toFields(fields["response"])];
  return {
    ...(request && { request: requestOf(request, toFields(request["body"])?.["text"]) }),
    ...statusOf(response),
    body: toFields(response?.["body"])?.["text"],
    at: momentOf(fields["received_at"]),
  };
}

/** A journal keeps what was asked and answered, but of a refusal not its form. What a scenario answered says nothing of the gateway. */
function eventOfExport(event: ObservedFields): ObservedExchange {
  const { kind, requestId, at: moment, path, code, description, validationErrors, body } = event;
  const { operation = "account-details", ...order } = toFields(event["order"]) ?? {};
  const request = {
    path: typeof path === "string" ? path : `/api/v2/${String(operation)}`,
    body: body ?? orderIn(order),
  };
  const at = momentOf(moment);
  if (kind === "accepted")
    return {
      request,
      status: 200,
      body: { status_code: 200, description: SUCCESS_DESCRIPTION, request_id: requestId },
      at,
    };
  if (kind !== "refused" || wasScripted(event)) return {};
  const refusal = { status_code: code, description, validation_errors: validationErrors };
  return { request, body: refusal, at, isPartial: true };
}

function orderIn({ phoneNumber, amount, message }: ObservedFields): object {
  return { phone_number: phoneNumber, ...(message === undefined ? { amount: String(amount) } : { message }) };
}

function requestOf(request: ObservedFields, body: unknown): NonNullable<ObservedExchange["request"]> {
  const [method, url] = [request["method"], request["path"] ?? request["url"] ?? request["target"]];
  return {
    ...(typeof method === "string" && { method }),
    ...(typeof url === "string" && { path: url.replace(/^\w+:\/\/[^/]*/, "").split(/[?#]/, 1)[0] }),
    headers: headersOf(request["headers"]),
    body,
  };
}

function statusOf(response: ObservedFields | undefined): Pick<ObservedExchange, "status"> {
  const status = Number(response?.["status"]);
  return Number.isInteger(status) && status >= 100 && status <= 599 ? { status } : {};
}

/** Reads headers as a mapping, as pairs, or as a HAR lists them. */
function headersOf(written: unknown): Record<string, string> | undefined {
  const pairs: unknown[] = Array.isArray(written) ? written : Object.entries(toFields(written) ?? {});
  if (written === undefined || written === null) return undefined;
  return Object.fromEntries(
    pairs.flatMap((pair): [string, string][] => {
      const [name, value] = Array.isArray(pair) ? pair : [toFields(pair)?.["name"], toFields(pair)?.["value"]];
      return typeof name === "string" ? [[name.toLowerCase(), String(value)]] : [];
    }),
  );
}

/** Seconds since 1970 have ten digits until the year 2286. */
const LAST_SECOND = 1e10;

/** The gateway did not exist before. A number or a year out of this range is something else, such as a phone number. */
const FIRST_MOMENT = Date.UTC(2015, 0);
const LAST_MOMENT = Date.UTC(2100, 0);

/** A moment as ISO 8601 or HTTP writes it (RFC 9110 §5.6.7). `Date.parse` finds one in any text with a number. */
const WRITTEN_MOMENT = /^(?:\d{4}-\d\d-\d\d(?:[T ]\d\d:\d\d|$)|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} )/;

/** The longest that an exchange takes which a browser recorded. */
const LONGEST_EXCHANGE = 3_600_000;

function momentOf(written: unknown, later = 0): string | undefined {
  const moment = millisOf(written) + (later > 0 && later <= LONGEST_EXCHANGE ? later : 0);
  return moment >= FIRST_MOMENT && moment < LAST_MOMENT ? new Date(moment).toISOString() : undefined;
}

function millisOf(written: unknown): number {
  if (typeof written === "number") return written * (written < LAST_SECOND ? 1_000 : 1);
  return WRITTEN_MOMENT.test(String(written)) ? Date.parse(String(written)) : NaN;
}

function wasScripted(event: ObservedFields): boolean {
  const fired = toFields(event["rules"])?.["fired"];
  return Array.isArray(fired) && fired.length > 0;
}
