import * as z from "zod";
import { type Kes, kesAsNumber } from "../domain/kes.ts";
import { SUCCESS_DESCRIPTION } from "../domain/refusal.ts";
import type { GatewaySettings } from "../settings/gateway.ts";
import type { AccountSettings } from "../settings/account-settings.ts";
import { withDecimals } from "./decimals.ts";

const organizationDetailsShape = z.object({
  available_balance: z.number().describe("The KES available to spend now."),
  location: z.string(),
  website: z.string(),
  office_email: z.string(),
  office_mobile: z.string().describe("International format with a leading plus sign."),
  mobilemoney_account_top_up_code: z
    .string()
    .optional()
    .describe("The account number to quote at the paybill, with `account_details.top_up_code: mobilemoney`."),
  mpesa_account_top_up_code: z
    .string()
    .optional()
    .describe("The same under the live gateway's field name, with `account_details.top_up_code: mpesa`."),
});

/** The response to account-details (document 2.5). */
export const accountDetailsShape = z.object({
  status_code: z.literal(200),
  description: z.string(),
  request_id: z.string(),
  organization: z.object({
    name: z.string(),
    details: organizationDetailsShape,
    accounts: z.array(z.object({ account: z.string(), service_name: z.string() })),
  }),
});

interface Details {
  readonly requestId: string;
  readonly available: Kes;
  /** The registered sender IDs are listed if the organization has no product accounts. */
  readonly settings: Pick<AccountSettings, "organization" | "sender_ids">;
  readonly gateway: Pick<GatewaySettings, "account_details" | "decimals">;
}

export function encodeAccountDetails({ requestId, available, settings, gateway }: Details): string {
  const { organization, sender_ids: senderIds } = settings;
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
  } satisfies z.output<typeof accountDetailsShape>;
  return withDecimals(JSON.stringify(body), gateway.decimals);
}

/** The document uses a name without a brand; the live gateway's field names M-Pesa (public-facts.md). Never both. */
const TOP_UP_CODE_FIELDS = {
  mobilemoney: "mobilemoney_account_top_up_code",
  mpesa: "mpesa_account_top_up_code",
} as const;
