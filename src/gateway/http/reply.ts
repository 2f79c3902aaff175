import type { AppliedRules } from "../scenario/applied-rules.ts";
import type { DecidedRequest } from "../account/decide/record-request.ts";
import type { Accepted, ConnectionCut, RequestEvent } from "../account/events.ts";
import { type AccountState, inForce } from "../account/state.ts";
import type { RunningAccount } from "../engine/account.ts";
import { encodeAccountDetails } from "../contract/account-details.ts";
import { encodeAcknowledgment, encodeRefusal } from "../contract/acknowledgment.ts";
import { NO_MONEY } from "../domain/kes.ts";
import { orderFields } from "../domain/order.ts";
import { fillPlaceholders, scriptedHeaders } from "../domain/fill-placeholders.ts";
import { hasContent, isOfGateway } from "../domain/refusal.ts";
import type { GatewaySettings } from "../settings/gateway.ts";
import type { NearMiss } from "../scenario/effects.ts";

/** A response as it goes over the wire, or as much of it as a scenario lets through. */
export interface Wire {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

export function toResponse({ status, headers, body }: Wire): Response {
  return new Response(hasContent(status) ? body : null, { status, headers });
}

/** Encodes the gateway's response. */
export function encodeAnswer(decided: DecidedRequest, { gateway, state }: RunningAccount): Wire {
  const wire = encodeWhole(decided, gateway, state);
  if (hasContent(wire.status)) return wire;
  const { "content-type": _type, ...headers } = wire.headers;
  return { ...wire, headers, body: "" };
}

function encodeWhole({ event, headers }: DecidedRequest, gateway: GatewaySettings, state: AccountState): Wire {
  const { rules } = event;
  switch (event.kind) {
    case "accepted":
      return asScripted(
        { status: 200, headers: withRules(rules, gateway), body: encodeAcknowledgment(event.requestId) },
        event,
      );
    case "queried": {
      const body = encodeAccountDetails({ ...event, settings: inForce(state), gateway });
      return asScripted({ status: 200, headers: withRules(rules, gateway), body }, event);
    }
    case "cut":
      return { status: 200, headers: withRules(rules, gateway), body: bodyBeforeCut(event, gateway, state) };
    case "refused": {
      const hint = gateway.hints && event.hint !== undefined ? { "x-kredo-hint": printable(event.hint) } : undefined;
      const body = event.answer === undefined ? encodeRefusal(event, gateway.refusals) : fill(event.answer, event);
      return {
        status: statusOf(event.code, gateway),
        headers: { ...withRules(rules, gateway), ...headers, ...hint, ...scriptedHeaders(rules?.ack ?? {}) },
        body,
      };
    }
  }
}

/** Returns the HTTP status of a refusal. */
export function statusOf(code: number, { http_status: setting }: Pick<GatewaySettings, "http_status">): number {
  return setting === "mirror" || !isOfGateway(code) ? code : 200;
}

function asScripted(wire: Wire, event: RequestEvent): Wire {
  const ack = event.rules?.ack;
  if (ack === undefined) return wire;
  const { status = wire.status, body } = ack;
  return {
    status,
    headers: { ...wire.headers, ...scriptedHeaders(ack) },
    body: body === undefined ? wire.body : fill(body, event),
  };
}

function fill(text: string, event: RequestEvent): string {
  return fillPlaceholders(text, {
    request_id: event.requestId,
    ...orderFields("order" in event ? event.order : undefined),
  });
}

/** Returns the body that a connection broken before acceptance would have carried. */
function bodyBeforeCut(cut: ConnectionCut, gateway: GatewaySettings, state: AccountState): string {
  const { requestId, order, available = NO_MONEY } = cut;
  if (order !== undefined) return encodeAcknowledgment(requestId);
  return encodeAccountDetails({ requestId, available, settings: inForce(state), gateway });
}

const JSON_TYPE = { "content-type": "application/json" };

/** Adds a header that names the rules that fired or nearly fired, if hints are on. */
function withRules(applied: AppliedRules | undefined, { hints }: GatewaySettings): Wire["headers"] {
  const rules = hints && applied !== undefined ? ruleHeader(applied) : undefined;
  return rules === undefined ? JSON_TYPE : { "content-type": "application/json", "x-kredo-rule": rules };
}

/** The most characters of a header. Clients may reject headers that exceed 16 KB in total. */
const LONGEST = 500;

/** A hint may quote what the client sent, which may contain characters not allowed in a header (RFC 9110 section 5.5). */
function printable(hint: string): string {
  return hint.slice(0, LONGEST).replace(/[^\x20-\x7e]+/g, "?");
}

/** Returns whether a scenario sends the callback before the acknowledgment. */
export function goesBeforeAck(event: RequestEvent): event is Accepted {
  return event.kind === "accepted" && event.plan.callback?.before_ack === true && event.plan.settleAfter !== "never";
}

/**
 * Returns the header value that lists the rules that fired and the closest one that did not. Percent-encodes what HTTP headers cannot
 * contain (RFC 8187 §3.2.1).
 */
export function ruleHeader({ fired, missed }: Pick<AppliedRules, "fired" | "missed">): string | undefined {
  const told = [
    ...fired.map(({ scenario, rule }) => `${scenario}/${rule}`),
    ...(missed ? [`not ${describeMissed(missed)}`] : []),
  ];
  if (told.length === 0) return undefined;
  return withinLongest(told.join(" | ").slice(0, LONGEST));
}

/** Describes the closest rule that did not fire: `bad-afternoon/lost: amount is 50.00, not at least 100.00`. */
export function describeMissed({ scenario, rule, difference }: NearMiss): string {
  return `${scenario}/${rule}: ${difference}`;
}

/** Encodes a text, and cuts it between two characters where its code would be too long. */
function withinLongest(text: string): string {
  const encoded = encode(text);
  if (encoded.length <= LONGEST) return encoded;
  let kept = "";
  for (const character of text) {
    const longer = kept + encode(character);
    if (longer.length > LONGEST) break;
    kept = longer;
  }
  return kept;
}

/** Half a surrogate pair cannot be encoded. */
function encode(text: string): string {
  return text.replace(/[^\x20-\x24\x26-\x7e]+/gu, (part) => encodeURIComponent(part.replace(/\p{Cs}/gu, "\ufffd")));
}
