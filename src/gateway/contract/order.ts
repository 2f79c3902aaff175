import { findJsonExcess } from "../document/nesting.ts";
import type { Order, RoutedOrder } from "../domain/order.ts";
import { Refused } from "../domain/refusal.ts";
import type { GatewaySettings } from "../settings/gateway.ts";
import { readAirtimeOrder } from "./airtime.ts";
import type { Fields } from "./fields.ts";
import { readSmsOrder } from "./sms.ts";

/** An order, and its fields that only a lenient setting accepts. */
export interface ReadOrder extends RoutedOrder {
  readonly loose: readonly string[];
}

/** Reads the order in a request. Throws `Refused` 400, 415 or 422. */
export function readOrder(
  operation: Order["operation"],
  { contentType, body }: { readonly contentType: string | undefined; readonly body: Uint8Array },
  gateway: GatewaySettings,
  isRegistered: (senderId: string) => boolean,
): ReadOrder {
  checkContentType(contentType);
  const fields = readJsonObject(body);
  const read =
    operation === "airtime" ? readAirtimeOrder(fields, gateway) : readSmsOrder(fields, gateway, isRegistered);
  return { ...read, loose: looseFields(fields, read.order) };
}

const JSON_TYPE = /^application\/json *(?:; *charset *= *"?utf-8"? *)?$/i;

/** Accepts application/json, with or without the charset UTF-8 (document 2). Throws `Refused` 415. */
function checkContentType(contentType: string | undefined): void {
  if (contentType === "application/json" || (contentType !== undefined && JSON_TYPE.test(contentType))) return;
  const found = contentType === undefined ? "there is no Content-Type header" : `the Content-Type is ${contentType}`;
  throw new Refused(415, { hint: `${found}; send application/json in UTF-8` });
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** Parses a request body. Throws `Refused` 400 if it is not UTF-8 or not a JSON object. */
function readJsonObject(body: Uint8Array): Fields {
  const value = parse(decode(body));
  if (isFields(value)) return value;
  throw new Refused(400, { hint: "the body must be a JSON object" });
}

function decode(body: Uint8Array): string {
  try {
    return decoder.decode(body);
  } catch {
    throw new Refused(400, { hint: "the body is not valid UTF-8" });
  }
}

function parse(text: string): unknown {
  const excess = findJsonExcess(text);
  if (excess !== undefined) throw new Refused(400, { hint: excess.problem });
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new Refused(400, {
      hint: text.trim() === "" ? "the body is empty" : `the body is not JSON: ${complaint(cause)}`,
    });
  }
}

/** Returns the parser's message without the part of the body that it quotes: hints are logged, and logs never contain message texts. */
function complaint(cause: unknown): string {
  return cause instanceof Error ? cause.message.replace(/, (?:\.\.\.)?".*$/s, "") : String(cause);
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Returns the fields accepted in a form that differs from the document (2.1, 2.2): an amount as a JSON number, a phone number in local
 * format.
 */
function looseFields(fields: Fields, order: Order): string[] {
  const names: string[] = [];
  if (fields["phone_number"] !== order.phoneNumber) names.push("phone_number");
  if (order.operation === "airtime" && typeof fields["amount"] !== "string") names.push("amount");
  return names;
}
