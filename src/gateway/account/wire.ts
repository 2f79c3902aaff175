import type { NearMiss } from "../scenario/effects.ts";
import type { AppliedRules } from "../scenario/effects/applied-rules.ts";
import { encodeAcknowledgment, encodeRefusal } from "../contract/acknowledgment.ts";
import { type BodyFormat, encodeCallback, encodeScripted } from "../contract/callback.ts";
import { type Order, orderFields, type ResultForm } from "../domain/order.ts";
import { fillPlaceholders, scriptedHeaders } from "../domain/fill-placeholders.ts";
import { hasContent, isOfGateway } from "../domain/refusal.ts";
import type { ScriptedCallback } from "../scenario/effects/callback-flags.ts";
import type { GatewaySettings } from "../settings/gateway.ts";
import type { RequestEvent } from "./events.ts";
import { reportedResult, type Resolved } from "./transaction.ts";

/** A response as it goes over the wire, or as much of it as a scenario lets through. */
export interface Wire {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The settings that decide in which form the gateway answers. */
export type AnswerForm = Pick<GatewaySettings, "refusals" | "http_status" | "hints">;

/** What a response is made of besides its event. */
interface AnswerParts {
  readonly form: AnswerForm;
  /** Headers of a refusal. */
  readonly headers?: Wire["headers"];
  /** Writes the body of account-details. */
  readonly encodeDetails: (requestId: string) => string;
}

/** Encodes the gateway's response to a request: what the journal keeps of it determines its bytes. */
export function encodeAnswer(event: RequestEvent, parts: AnswerParts): Wire {
  const wire = encodeWhole(event, parts);
  if (hasContent(wire.status)) return wire;
  const { "content-type": _type, ...headers } = wire.headers;
  return { ...wire, headers, body: "" };
}

function encodeWhole(event: RequestEvent, { form, headers, encodeDetails }: AnswerParts): Wire {
  const { rules, requestId } = event;
  const own = withRules(rules, form);
  switch (event.kind) {
    case "accepted":
      return asScripted({ status: 200, headers: own, body: encodeAcknowledgment(requestId) }, event);
    case "queried":
      return asScripted({ status: 200, headers: own, body: encodeDetails(requestId) }, event);
    case "cut": {
      // What a connection broken before acceptance would have carried.
      const body = event.order === undefined ? encodeDetails(requestId) : encodeAcknowledgment(requestId);
      return { status: 200, headers: own, body };
    }
    case "refused": {
      const hint = form.hints && event.hint !== undefined ? { "x-kredo-hint": printable(event.hint) } : undefined;
      const body = event.answer === undefined ? encodeRefusal(event, form.refusals) : fill(event.answer, event);
      return {
        // Whoever writes the whole response writes its status, too.
        status: event.answer === undefined ? statusOf(event.code, form) : event.code,
        headers: { ...own, ...headers, ...hint, ...scriptedHeaders(rules?.ack ?? {}) },
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

const JSON_TYPE = { "content-type": "application/json" };

/** Adds a header that names the rules that fired or nearly fired, if hints are on. */
function withRules(applied: AppliedRules | undefined, { hints }: AnswerForm): Wire["headers"] {
  const rules = hints && applied !== undefined ? ruleHeader(applied) : undefined;
  return rules === undefined ? JSON_TYPE : { "content-type": "application/json", "x-kredo-rule": rules };
}

/** The most characters of a header. Clients may reject headers that exceed 16 KB in total. */
const LONGEST = 500;

/** A hint may quote what the client sent, which may contain characters not allowed in a header (RFC 9110 section 5.5). */
function printable(hint: string): string {
  return hint.slice(0, LONGEST).replace(/[^\x20-\x7e]+/g, "?");
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

/** The settings that decide in which form callbacks are sent. */
export type CallbackForm = BodyFormat & ResultForm;

/** The settings that decide the bytes of everything that the gateway sends. */
export type WireForm = AnswerForm & CallbackForm & Pick<GatewaySettings, "ucs2_concatenated">;

export function wireFormOf(gateway: GatewaySettings): WireForm {
  const { refusals, http_status, hints, callback_values, decimals, result_codes, result_desc, ucs2_concatenated } =
    gateway;
  return { refusals, http_status, hints, callback_values, decimals, result_codes, result_desc, ucs2_concatenated };
}

/** Encodes the body of one callback of an order: of the result alone, or as a scenario or somebody by hand changed it. */
export function encodeSent(
  { order, progress }: { readonly order: Order; readonly progress: Resolved },
  scripted: ScriptedCallback | undefined,
  form: CallbackForm,
): string {
  const settled = reportedResult(progress, scripted);
  return scripted === undefined
    ? encodeCallback(settled, form)
    : encodeScripted({ settled, order, gateway: form }, scripted);
}
