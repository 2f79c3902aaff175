import type { Directed } from "../account/directed.ts";
import type { RequestEvent } from "../account/events.ts";
import { encodeAccountDetails } from "../contract/account-details.ts";
import { encodeAcknowledgment, encodeRefusal } from "../contract/acknowledgment.ts";
import { ruleHeader } from "../scenario/rule-header.ts";
import type { GatewaySettings, Organization } from "../domain/settings.ts";

/** What a request is answered: what was written down of it, and headers that belong to the answer. */
export interface Answer {
  readonly event: RequestEvent;
  readonly headers: Readonly<Record<string, string>>;
  readonly organization: Organization;
}

/** An answer as it goes over the wire, or as much of it as a scenario lets through. */
export interface Wire {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The gateway's answer. */
export function encodeAnswer({ event, headers, organization }: Answer, gateway: GatewaySettings): Wire {
  const { directed } = event;
  switch (event.kind) {
    case "accepted":
      return asScripted({ status: 200, headers: withRules(directed, gateway), body: encodeAcknowledgment(event.requestId) }, directed);
    case "queried": {
      const body = encodeAccountDetails({ ...event, organization, profile: gateway.profile });
      return asScripted({ status: 200, headers: withRules(directed, gateway), body }, directed);
    }
    case "cut":
      return { status: 200, headers: withRules(directed, gateway), body: encodeAcknowledgment(event.requestId) };
    case "refused": {
      const hint = gateway.hints && event.hint !== undefined ? { "x-kredo-hint": printable(event.hint) } : undefined;
      const status = gateway.httpStatus === "mirror" ? event.code : 200;
      return { status, headers: { ...withRules(directed, gateway), ...headers, ...hint }, body: event.answer ?? encodeRefusal(event) };
    }
  }
}

function asScripted(wire: Wire, { ack }: Partial<Directed> = {}): Wire {
  if (ack?.status === undefined && ack?.body === undefined) return wire;
  return { ...wire, status: ack.status ?? wire.status, body: ack.body ?? wire.body };
}

const JSON_TYPE = { "content-type": "application/json" };

/** Which rules fired, and which nearly did, while hints are on. */
function withRules(directed: Directed | undefined, { hints }: GatewaySettings): Wire["headers"] {
  const rules = hints && directed !== undefined ? ruleHeader(directed) : undefined;
  return rules === undefined ? JSON_TYPE : { "content-type": "application/json", "x-kredo-rule": rules };
}

/** Characters of a hint that are sent: a client may take no longer header than 16 KB, all of them together. */
const LONGEST_HINT = 500;

/** A hint may quote what the client sent; a header may not hold all of that (RFC 9110 section 5.5). */
function printable(hint: string): string {
  return hint.slice(0, LONGEST_HINT).replace(/[^\x20-\x7e]+/g, "?");
}
