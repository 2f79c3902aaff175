import type { AppliedRules } from "../scenario/applied-rules.ts";
import type { AccountEvent, RequestRefused } from "../account/events.ts";
import type { RequestTraits } from "../account/request-traits.ts";
import type { Order } from "../domain/order.ts";

/** A close guess at the bytes that an event takes in memory; settings that events share are not counted. */
export function sizeOf(event: AccountEvent): number {
  return ownSize(event) + ("traits" in event ? traitsSize(event.traits) : 0);
}

function ownSize(event: AccountEvent): number {
  switch (event.kind) {
    case "accepted":
      return OBJECT * 4 + textSize(event.requestId, event.order.phoneNumber, messageOf(event.order)) + rulesSize(event.rules);
    case "cut":
      return OBJECT * 2 + textSize(event.requestId, messageOf(event.order)) + rulesSize(event.rules);
    case "queried":
      return OBJECT * 2 + rulesSize(event.rules);
    case "client-left":
      return OBJECT + textSize(event.requestId);
    case "scenarios-changed":
      return OBJECT + event.active.length * SCENARIO;
    case "refused":
      return OBJECT + refusedTexts(event) + rulesSize(event.rules);
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

/** The scenario itself is shared by all events that name it. */
const SCENARIO = 200;

function rulesSize(rules: AppliedRules | undefined): number {
  if (rules === undefined) return 0;
  const { fired, counters, ack, missed } = rules;
  return OBJECT + fired.length * 40 + textSize(...counters, ack?.body ?? "", missed?.difference ?? "");
}

/** Names of fields and parameters are shared by all events that name them. */
function traitsSize(traits: RequestTraits | undefined): number {
  if (traits === undefined) return 0;
  const { exposed = [], loose = [], traceparent } = traits;
  return OBJECT / 2 + (exposed.length + loose.length) * 16 + (traceparent === undefined ? 0 : textSize(traceparent));
}

function messageOf(order: Order | undefined): string {
  return order?.operation === "sms" ? order.message : "";
}

function refusedTexts({ requestId, path, body = "", order, validationErrors, answer = "" }: RequestRefused): number {
  return textSize(requestId, path, body, messageOf(order), answer) + (validationErrors === undefined ? 0 : OBJECT * 2);
}

/** V8 keeps a string of Latin letters at a byte a character and others at two; two is the safe side. */
function textSize(...texts: string[]): number {
  return texts.reduce((bytes, text) => bytes + 16 + 2 * text.length, 0);
}
