import type { DecidedRequest } from "../account/decide/record-request.ts";
import type { Accepted, RequestEvent } from "../account/events.ts";
import { settingsInForce } from "../account/state.ts";
import { encodeAnswer, type Wire } from "../account/wire.ts";
import { encodeAccountDetails } from "../contract/account-details.ts";
import { NO_MONEY } from "../domain/kes.ts";
import { hasContent } from "../domain/refusal.ts";
import type { Organization } from "../settings/account-settings.ts";
import type { RunningAccount } from "../engine/account.ts";

export function toResponse({ status, headers, body }: Wire): Response {
  return new Response(hasContent(status) ? body : null, { status, headers });
}

/** Encodes the account's response to a request, and to one for account-details the organization. */
export function responseTo(
  { event, headers }: DecidedRequest,
  { gateway, state }: RunningAccount,
  organization?: Organization,
): Wire {
  return encodeAnswer(event, {
    form: gateway,
    headers,
    encodeDetails: (requestId) => {
      if (organization === undefined) throw new Error("only account-details show an organization");
      const available = ("available" in event ? event.available : undefined) ?? NO_MONEY;
      return encodeAccountDetails({
        requestId,
        available,
        organization,
        senderIds: settingsInForce(state).sender_ids,
        gateway,
      });
    },
  });
}

/** Returns whether a scenario sends the callback before the acknowledgment. */
export function goesBeforeAck(event: RequestEvent): event is Accepted {
  return event.kind === "accepted" && event.plan.callback?.before_ack === true && event.plan.settleAfter !== "never";
}
