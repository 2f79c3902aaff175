import * as z from "zod";
import { type Kes, kesAsNumber } from "../domain/kes.ts";
import { SUCCESS_DESCRIPTION } from "../domain/refusal.ts";
import type { GatewaySettings } from "../settings/gateway.ts";
import type { Organization } from "../settings/account-settings.ts";
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
    .describe("The account number to quote at the paybill, with `profile: document`."),
  mpesa_account_top_up_code: z
    .string()
    .optional()
    .describe("The same under the live gateway's field name, with `profile: statum`."),
});

/** The response to account-details (document 2.5). */
export const accountDetailsShape = z.object({
  status_code: z.literal(200),
  description: z.string(),
  request_id: z.uuid(),
  organization: z.object({
    name: z.string(),
    details: organizationDetailsShape,
    accounts: z.array(z.object({ account: z.string(), service_name: z.string() })),
  }),
});

interface Details {
  readonly requestId: string;
  readonly available: Kes;
  readonly organization: Organization;
  readonly gateway: Pick<GatewaySettings, "profile" | "decimals">;
}

export function encodeAccountDetails({ requestId, available, organization, gateway }: Details): string {
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
        [TOP_UP_CODE_FIELDS[gateway.profile]]: organization.top_up_code,
      },
      accounts: [...organization.accounts],
    },
  } satisfies z.output<typeof accountDetailsShape>;
  return withDecimals(JSON.stringify(body), gateway.decimals);
}

/** The document uses a name without a brand; the live gateway's field names M-Pesa (public-facts.md). Never both. */
const TOP_UP_CODE_FIELDS = {
  document: "mobilemoney_account_top_up_code",
  statum: "mpesa_account_top_up_code",
} as const;
