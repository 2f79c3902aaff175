import type { SmsOrder } from "../domain/order.ts";
import { senderIdProblem } from "../domain/sender-id.ts";
import type { GatewaySettings } from "../domain/settings.ts";
import { measureSms } from "../domain/sms-parts.ts";
import { FieldErrors } from "./field-errors.ts";
import type { Fields } from "./json-body.ts";
import { readRecipient } from "./recipient.ts";

/** Who asks whether a sender ID is registered with any carrier. */
export type IsRegistered = (senderId: string) => boolean;

/** Reads an SMS request. Throws `Refused` 422 with every field's errors. */
export function readSmsOrder(fields: Fields, gateway: GatewaySettings, isRegistered: IsRegistered): SmsOrder {
  const errors = new FieldErrors();
  const route = readRecipient(fields, gateway, errors);
  const message = readMessage(fields, gateway, errors);
  const senderId = readSenderId(fields, isRegistered, errors);
  if (route === undefined || message === undefined || senderId === undefined) return errors.refuse();
  return { operation: "sms", phoneNumber: route.phoneNumber, message, senderId };
}

function readMessage(fields: Fields, { maxSmsParts, ucs2Concatenated }: GatewaySettings, errors: FieldErrors): string | undefined {
  const message = errors.text(fields, "message");
  if (message === undefined) return undefined;
  if (!isWellFormed(message)) return errors.add("message", "The message must be valid Unicode: half of a surrogate pair stands alone.");
  const { parts } = measureSms(message, ucs2Concatenated);
  return parts <= maxSmsParts ? message : errors.add("message", `The message needs ${parts} parts; at most ${maxSmsParts} are allowed.`);
}

function readSenderId(fields: Fields, isRegistered: IsRegistered, errors: FieldErrors): string | undefined {
  const senderId = errors.text(fields, "sender_id");
  if (senderId === undefined || isRegistered(senderId)) return senderId;
  const problem = senderIdProblem(senderId);
  return errors.add("sender_id", problem ?? `The sender_id ${senderId} is not registered.`);
}

const LONE_SURROGATE = /\p{Surrogate}/u;

function isWellFormed(text: string): boolean {
  return !LONE_SURROGATE.test(text);
}
