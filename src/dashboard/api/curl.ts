import type { RequestRow } from "../../gateway/account/readings/requests.ts";
import { orderFields } from "../../gateway/domain/order.ts";

/** The credentials of a client, and the gateway's origin. */
export interface Caller {
  readonly origin: string;
  readonly consumerKey: string;
  readonly consumerSecret: string;
}

/** Formats a request as a curl command, with the account's own credentials. */
export function asCurl(
  request: Pick<RequestRow, "method" | "path" | "order" | "body">,
  { origin, consumerKey, consumerSecret }: Caller,
): string {
  const { method, path } = request;
  const body = bodyOfRequest(request);
  const usual = body === undefined ? "GET" : "POST";
  return [
    `curl ${shellQuoted(`${origin}${path}`)}`,
    `-u ${shellQuoted(`${consumerKey}:${consumerSecret}`)}`,
    ...(method === usual ? [] : [`-X ${shellQuoted(method)}`]),
    ...(body === undefined ? [] : ["-H 'content-type: application/json'", `--data-raw ${shellQuoted(body)}`]),
  ].join(" \\\n  ");
}

/** Formats a callback as a curl command that sends it to the receiver once more. */
export function postCurl(url: string, headers: readonly (readonly [string, string])[], body: string): string {
  const given = headers.filter(([name]) => !/^(?:host|content-length|connection)$/i.test(name));
  return [
    `curl ${shellQuoted(url)}`,
    ...given.map(([name, value]) => `-H ${shellQuoted(`${name}: ${value}`)}`),
    `--data-raw ${shellQuoted(body)}`,
  ].join(" \\\n  ");
}

/** Returns the body of a request: rebuilt from a valid order, with its amount as a string, otherwise the recorded beginning of what was sent. */
export function bodyOfRequest({ order, body }: Pick<RequestRow, "order" | "body">): string | undefined {
  if (order === undefined) return body;
  return JSON.stringify(orderFields(order), (_, value) => (typeof value === "number" ? String(value) : value));
}

/**
 * Quotes a word for a shell. POSIX takes every character between single quotes literally, except the quote itself (POSIX.1-2024, XCU
 * 2.2.2).
 */
export function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
