import * as z from "zod";
import { findJsonExcess } from "../document/nesting.ts";
import type { Route } from "../domain/carrier.ts";
import { cents, type Kes, KES_FORM, parseKes } from "../domain/kes.ts";
import type { AirtimeOrder, Order, RoutedOrder, SmsOrder } from "../domain/order.ts";
import { Refused } from "../domain/refusal.ts";
import { explainLimits, type Limits, SENTENCES } from "../domain/sentences.ts";
import { measureSms } from "../domain/sms-parts.ts";
import type { GatewaySettings } from "../settings/gateway.ts";
import {
  FieldErrors,
  type Fields,
  type FieldSettings,
  formedField,
  recipientShape,
  requiredField,
  routeOf,
} from "./fields.ts";

/** An order, and what is in a form that differs from the document's (`requestTraits.lenient`). */
export interface OrderWithForms extends RoutedOrder {
  readonly lenient: readonly string[];
}

interface OrderContent {
  readonly contentType: string | undefined;
  readonly contentEncoding?: string | undefined;
  readonly body: Uint8Array;
}

/** Reads the order in a request. Throws `Refused` 400, 415 or 422. */
export function readOrder(
  operation: Order["operation"],
  { contentType, contentEncoding, body }: OrderContent,
  gateway: GatewaySettings,
  isRegistered: IsRegistered,
): OrderWithForms {
  checkContentType(contentType);
  checkContentEncoding(contentEncoding);
  const fields = readJsonObject(body);
  const read =
    operation === "airtime" ? readAirtimeOrder(fields, gateway) : readSmsOrder(fields, gateway, isRegistered);
  return { ...read, lenient: [...lenientFieldsOf(fields, read.order), ...lenientCharsetOf(contentType)] };
}

const JSON_TYPE = /^application\/json[ \t]*(?:;|$)/i;

/** Accepts application/json (document 2) with any parameters, because JSON has none that mean anything (RFC 8259 §11). Throws `Refused` 415. */
function checkContentType(contentType: string | undefined): void {
  if (contentType !== undefined && JSON_TYPE.test(contentType)) return;
  const found =
    contentType === undefined ? "there is no Content-Type header" : `the Content-Type is ${contentType || "empty"}`;
  throw new Refused(415, { hint: `${found}; send application/json in UTF-8` });
}

/** The gateway decodes no body, which is a guess. Throws `Refused` 415 (RFC 9110 §15.5.16). */
function checkContentEncoding(encoding: string | undefined): void {
  if (encoding === undefined || encoding.toLowerCase() === "identity") return;
  throw new Refused(415, { hint: `the Content-Encoding is ${encoding}; send the body as it is, without this header` });
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
    throw new Refused(400, {
      hint: "the body is not valid UTF-8; send JSON in UTF-8, whatever charset the Content-Type names",
    });
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
function lenientFieldsOf(fields: Fields, order: Order): string[] {
  const names: string[] = [];
  if (fields["phone_number"] !== order.phoneNumber) names.push("phone_number");
  if (order.operation === "airtime" && typeof fields["amount"] !== "string") names.push("amount");
  return names;
}

const OTHER_CHARSET = /;[ \t]*charset[ \t]*=[ \t]*"?(?!utf-?8[" \t;]|utf-?8$)[^" \t;]/i;

/** Returns whether the Content-Type names another charset than the document's UTF-8, which the body is in all the same. */
function lenientCharsetOf(contentType = ""): string[] {
  return OTHER_CHARSET.test(contentType) ? ["charset"] : [];
}

/** The body of an airtime request (document 2.1). */
export function airtimeShape(settings: FieldSettings & Pick<GatewaySettings, "amount_type" | "carriers">) {
  const sentences = SENTENCES[settings.refusals.sentences];
  const text = formedField("amount", settings, KES_FORM, (written) => sentences.amount(written, limits(settings)));
  const amount =
    settings.amount_type === "lenient"
      ? z.preprocess((value) => (typeof value === "number" ? String(value) : value), text)
      : text;
  return z.object({
    phone_number: recipientShape(settings),
    amount: amount
      .transform((written) => parseKes(written) ?? z.NEVER)
      .describe("KES as a string, within the carrier's limits."),
  });
}

/** Reads an airtime request. Throws `Refused` 422 with every field's errors. */
function readAirtimeOrder(fields: Fields, gateway: GatewaySettings): RoutedOrder<AirtimeOrder> {
  const errors = new FieldErrors();
  const { shape } = airtimeShapeFor(gateway);
  const route = routeOf(errors.read(fields, "phone_number", shape.phone_number), gateway, errors);
  const amount = checkLimits(errors.read(fields, "amount", shape.amount), limits(gateway, route), gateway, errors);
  if (route === undefined || amount === undefined) return errors.refuse();
  return { order: { operation: "airtime", phoneNumber: route.phoneNumber, amount }, route };
}

/** Keeps what is made for the same settings, because creating a schema costs more than parsing with it. */
function oncePerGateway<Shape>(shapeOf: (gateway: GatewaySettings) => Shape): (gateway: GatewaySettings) => Shape {
  const shapes = new WeakMap<GatewaySettings, Shape>();
  return (gateway) => {
    const known = shapes.get(gateway) ?? shapeOf(gateway);
    shapes.set(gateway, known);
    return known;
  };
}

const airtimeShapeFor = oncePerGateway(airtimeShape);

function checkLimits(
  amount: Kes | undefined,
  allowed: Limits,
  { refusals }: FieldSettings,
  errors: FieldErrors,
): Kes | undefined {
  if (amount === undefined || (amount >= allowed.min && amount <= allowed.max)) return amount;
  return errors.add("amount", explainLimits(allowed, SENTENCES[refusals.sentences]));
}

/** Returns the carrier's limits, or the widest of all carriers if the number's carrier is unknown. */
function limits({ carriers }: Pick<GatewaySettings, "carriers">, route?: Route): Limits {
  if (route !== undefined) return carriers[route.carrier].limits;
  const all = Object.values(carriers).map((carrier) => carrier.limits);
  return { min: cents(Math.min(...all.map(({ min }) => min))), max: cents(Math.max(...all.map(({ max }) => max))) };
}

/** The body of an SMS request (document 2.2). */
export function smsShape(settings: FieldSettings & Pick<GatewaySettings, "blank_messages">) {
  return z.object({
    phone_number: recipientShape(settings),
    message: requiredField("message", settings, settings.blank_messages).describe(
      "The text. One part holds 160 characters, or 70 if any of them is outside the GSM alphabet.",
    ),
    sender_id: requiredField("sender_id", settings).describe(
      "A registered custom sender ID or short code; case-sensitive.",
    ),
  });
}

const smsShapeFor = oncePerGateway(smsShape);

/** Returns whether a sender ID is registered with any carrier. */
type IsRegistered = (senderId: string) => boolean;

/** Reads an SMS request. Throws `Refused` 422 with every field's errors. */
function readSmsOrder(fields: Fields, gateway: GatewaySettings, isRegistered: IsRegistered): RoutedOrder<SmsOrder> {
  const errors = new FieldErrors();
  const { shape } = smsShapeFor(gateway);
  const route = routeOf(errors.read(fields, "phone_number", shape.phone_number), gateway, errors);
  const message = checkMessage(errors.read(fields, "message", shape.message), gateway, errors);
  const senderId = checkSenderId(errors.read(fields, "sender_id", shape.sender_id), isRegistered, gateway, errors);
  if (route === undefined || message === undefined || senderId === undefined) return errors.refuse();
  return { order: { operation: "sms", phoneNumber: route.phoneNumber, message, senderId }, route };
}

function checkMessage(message: string | undefined, gateway: GatewaySettings, errors: FieldErrors): string | undefined {
  if (message === undefined) return undefined;
  if (LONE_SURROGATE.test(message))
    return errors.add("message", "The message must be valid Unicode: half of a surrogate pair stands alone.");
  const { parts } = measureSms(message, gateway.ucs2_concatenated);
  const most = gateway.max_sms_parts;
  return parts <= most
    ? message
    : errors.add("message", `The message needs ${parts} parts; at most ${most} are allowed.`);
}

const LONE_SURROGATE = /\p{Surrogate}/u;

function checkSenderId(
  senderId: string | undefined,
  isRegistered: IsRegistered,
  { refusals }: FieldSettings,
  errors: FieldErrors,
): string | undefined {
  if (senderId === undefined || isRegistered(senderId)) return senderId;
  return errors.add("sender_id", SENTENCES[refusals.sentences].unregistered(senderId));
}
