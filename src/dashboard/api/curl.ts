import type { RequestRow } from "../../account/readings/requests.ts";
import { kesAsNumber } from "../../domain/kes.ts";
import type { Order } from "../../domain/order.ts";

/** Who asks, and where. */
export interface Caller {
  readonly origin: string;
  readonly consumerKey: string;
  readonly consumerSecret: string;
}

/** A request as a line for a shell, with the account's own credentials. */
export function asCurl(
  request: Pick<RequestRow, "method" | "path" | "order" | "body">,
  { origin, consumerKey, consumerSecret }: Caller,
): string {
  const { method, path } = request;
  const body = bodyOf(request);
  const usual = body === undefined ? "GET" : "POST";
  return [
    `curl ${quoted(`${origin}${path}`)}`,
    `-u ${quoted(`${consumerKey}:${consumerSecret}`)}`,
    ...(method === usual ? [] : [`-X ${quoted(method)}`]),
    ...(body === undefined ? [] : ["-H 'content-type: application/json'", `--data-raw ${quoted(body)}`]),
  ].join(" \\\n  ");
}

/** The body of a request: written anew from a valid order, else the beginning of what came. */
export function bodyOf({ order, body }: Pick<RequestRow, "order" | "body">): string | undefined {
  return order === undefined ? body : JSON.stringify(fieldsOf(order));
}

/** The document's field names (2.1, 2.2); an amount is a string there. */
function fieldsOf(order: Order): Record<string, string> {
  if (order.operation === "airtime") return { phone_number: order.phoneNumber, amount: String(kesAsNumber(order.amount)) };
  return { phone_number: order.phoneNumber, message: order.message, sender_id: order.senderId };
}

/** A call to the control API of an account, for a shell. */
interface ControlCall {
  readonly origin: string;
  readonly consumerKey: string;
  /** Below the account: `scenarios`. */
  readonly path: string;
  /** What is sent, if anything is; it becomes JSON. */
  readonly body?: unknown;
  /** The sandbox asks for its admin token; the line takes it from the shell's environment, where it is not on show. */
  readonly needsToken: boolean;
}

/** The call as a line for a shell. */
export function controlCurl({ origin, consumerKey, path, body, needsToken }: ControlCall): string {
  const url = `${origin}/__admin/accounts/${encodeURIComponent(consumerKey)}/${path}`;
  return [
    `curl ${quoted(url)}`,
    ...(needsToken ? ['-H "authorization: Bearer $KREDO_ADMIN_TOKEN"'] : []),
    ...(body === undefined ? [] : ["-H 'content-type: application/json'", `--data-raw ${quoted(JSON.stringify(body))}`]),
  ].join(" \\\n  ");
}

/** A word for a shell: between single quotes POSIX reads every character but the quote as it is (POSIX.1-2024, XCU 2.2.2). */
export function quoted(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`;
}
