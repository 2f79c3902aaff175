import * as z from "zod";
import type { RoutedOrder, SmsOrder } from "../domain/order.ts";
import type { Profile } from "../domain/phone-number.ts";
import { senderIdProblem } from "../domain/sender-id.ts";
import type { GatewaySettings } from "../settings/gateway.ts";
import { measureSms } from "../domain/sms-parts.ts";
import { FieldErrors, type Fields, requiredField, recipientShape, routeOf } from "./fields.ts";

/** The body of an SMS request (document 2.2). */
export function smsShape(profile: Profile) {
  return z.object({
    phone_number: recipientShape(profile),
    message: requiredField("message").describe(
      "The text. One part holds 160 characters, or 70 if any of them is outside the GSM alphabet.",
    ),
    sender_id: requiredField("sender_id").describe("A registered custom sender ID or short code; case-sensitive."),
  });
}

const SHAPES: Readonly<Record<Profile, ReturnType<typeof smsShape>>> = {
  document: smsShape("document"),
  statum: smsShape("statum"),
};

/** Returns whether a sender ID is registered with any carrier. */
export type IsRegistered = (senderId: string) => boolean;

/** Reads an SMS request. Throws `Refused` 422 with every field's errors. */
export function readSmsOrder(
  fields: Fields,
  gateway: GatewaySettings,
  isRegistered: IsRegistered,
): RoutedOrder<SmsOrder> {
  const errors = new FieldErrors();
  const { shape } = SHAPES[gateway.profile];
  const route = routeOf(errors.read(fields, "phone_number", shape.phone_number), gateway, errors);
  const message = checkMessage(errors.read(fields, "message", shape.message), gateway, errors);
  const senderId = checkSenderId(errors.read(fields, "sender_id", shape.sender_id), isRegistered, errors);
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
  errors: FieldErrors,
): string | undefined {
  if (senderId === undefined || isRegistered(senderId)) return senderId;
  return errors.add("sender_id", senderIdProblem(senderId) ?? `The sender_id ${senderId} is not registered.`);
}
