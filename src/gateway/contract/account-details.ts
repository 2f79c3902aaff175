import { type Kes, kesAsNumber } from "../domain/kes.ts";
import { SUCCESS_DESCRIPTION } from "../domain/refusal.ts";
import type { GatewaySettings } from "../settings/gateway.ts";
import type { AccountSettings, Organization } from "../settings/account-settings.ts";
import { withDecimals } from "./decimals.ts";
import type { AccountDetails } from "./shapes.ts";

interface Details {
  readonly requestId: string;
  readonly available: Kes;
  readonly organization: Organization;
  /** Listed if the organization has no product accounts. */
  readonly senderIds: AccountSettings["sender_ids"];
  readonly gateway: Pick<GatewaySettings, "account_details" | "decimals">;
}

export function encodeAccountDetails({ requestId, available, organization, senderIds, gateway }: Details): string {
  const body = {
    status_code: 200,
    description: SUCCESS_DESCRIPTION,
    request_id: requestId,
    organization: {
      name: organization.name,
      details: {
        available_balance: kesAsNumber(available),
        location: organization.location,
        website: organization.website,
        office_email: organization.office_email,
        office_mobile: organization.office_mobile,
        [TOP_UP_CODE_FIELDS[gateway.account_details.top_up_code]]: organization.top_up_code,
      },
      accounts:
        organization.accounts?.slice() ?? senderIds.map(({ sender_id: id }) => ({ account: id, service_name: "sms" })),
    },
  } satisfies AccountDetails;
  return withDecimals(JSON.stringify(body), gateway.decimals);
}

/** The document uses a name without a brand; the live gateway's field names M-Pesa (public-facts.md). Never both. */
const TOP_UP_CODE_FIELDS = {
  mobilemoney: "mobilemoney_account_top_up_code",
  mpesa: "mpesa_account_top_up_code",
} as const;
