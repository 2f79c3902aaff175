import type * as z from "zod";
import { type Kes, kesAsNumber } from "../domain/kes.ts";
import { SUCCESS_DESCRIPTION } from "../domain/refusal.ts";
import type { GatewaySettings, Organization } from "../domain/settings.ts";
import type { accountDetailsShape } from "./shapes.ts";

interface Details {
  readonly requestId: string;
  readonly available: Kes;
  readonly organization: Organization;
  readonly profile: GatewaySettings["profile"];
}

export function encodeAccountDetails({ requestId, available, organization, profile }: Details): string {
  return JSON.stringify({
    status_code: 200,
    description: SUCCESS_DESCRIPTION,
    request_id: requestId,
    organization: {
      name: organization.name,
      details: {
        available_balance: kesAsNumber(available),
        location: organization.location,
        website: organization.website,
        office_email: organization.officeEmail,
        office_mobile: organization.officeMobile,
        [TOP_UP_CODE_FIELDS[profile]]: organization.topUpCode,
      },
      accounts: [...organization.accounts],
    },
  } satisfies z.output<typeof accountDetailsShape>);
}

/** The document names no brand; the live field does (public-facts.md). Never both. */
const TOP_UP_CODE_FIELDS = { document: "mobilemoney_account_top_up_code", statum: "mpesa_account_top_up_code" } as const;
