import type { AccountEvent, RequestRefused } from "../account/events.ts";

/** A close guess at the bytes that an event takes in memory; settings that events share are not counted. */
export function sizeOf(event: AccountEvent): number {
  switch (event.kind) {
    case "accepted":
      return OBJECT * 4 + textSize(event.requestId, event.order.phoneNumber, event.order.operation === "sms" ? event.order.message : "");
    case "refused":
      return OBJECT + refusedTexts(event);
    case "settled":
      return OBJECT * 2 + textSize(event.resultDesc);
    case "attempted":
      return OBJECT * 2 + ("body" in event.outcome ? textSize(event.outcome.body) : 0);
    default:
      return OBJECT * 2;
  }
}

/** Bytes of an object with about ten fields. */
const OBJECT = 120;

function refusedTexts({ requestId, path, body = "", order, validationErrors }: RequestRefused): number {
  const message = order?.operation === "sms" ? order.message : "";
  return textSize(requestId, path, body, message) + (validationErrors === undefined ? 0 : OBJECT * 2);
}

/** V8 keeps a string of Latin letters at a byte a character and others at two; two is the safe side. */
function textSize(...texts: string[]): number {
  return texts.reduce((bytes, text) => bytes + 16 + 2 * text.length, 0);
}
