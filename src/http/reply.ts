import type { RequestEvent } from "../account/events.ts";
import { encodeAccountDetails } from "../contract/account-details.ts";
import { encodeAcknowledgment, encodeRefusal } from "../contract/acknowledgment.ts";
import type { GatewaySettings, Organization } from "../domain/settings.ts";

/** What a request is answered: what was written down of it, and headers that belong to the answer. */
export interface Answer {
  readonly event: RequestEvent;
  readonly headers: Readonly<Record<string, string>>;
  readonly organization: Organization;
}

/** The gateway's answer on the wire. */
export function reply({ event, headers, organization }: Answer, gateway: GatewaySettings): Response {
  switch (event.kind) {
    case "accepted":
      return new Response(encodeAcknowledgment(event.requestId), ACCEPTED);
    case "queried":
      return new Response(encodeAccountDetails({ ...event, organization, profile: gateway.profile }), ACCEPTED);
    case "refused": {
      const hint = gateway.hints && event.hint !== undefined ? { "x-kredo-hint": printable(event.hint) } : undefined;
      const status = gateway.httpStatus === "mirror" ? event.code : 200;
      return new Response(encodeRefusal(event), { status, headers: { "content-type": "application/json", ...headers, ...hint } });
    }
  }
}

const ACCEPTED: ResponseInit = { status: 200, headers: { "content-type": "application/json" } };

/** Characters of a hint that are sent: a client may take no longer header than 16 KB, all of them together. */
const LONGEST_HINT = 500;

/** A hint may quote what the client sent; a header may not hold all of that (RFC 9110 section 5.5). */
function printable(hint: string): string {
  return hint.slice(0, LONGEST_HINT).replace(/[^\x20-\x7e]+/g, "?");
}
