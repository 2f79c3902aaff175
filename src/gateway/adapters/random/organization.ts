import { base, Faker } from "@faker-js/faker";
import { contentKey } from "../../domain/draws.ts";
import { PRODUCTS } from "../../domain/order.ts";
import type { AccountSettings, Organization } from "../../settings/account-settings.ts";
import type { GatewaySettings } from "../../settings/gateway.ts";
import { KENYA } from "./kenyan-locale.ts";

type Invented = Omit<Organization, "top_up_code" | "accounts">;

const invented = new WeakMap<AccountSettings, Invented>();

/** Returns the organization that account-details shows. It has no product accounts if sender IDs are listed in their place. */
export function organizationOf(
  settings: AccountSettings,
  { account_details: { accounts } }: Pick<GatewaySettings, "account_details">,
): Organization {
  const { organization: given } = settings;
  const all = { ...(invented.get(settings) ?? inventOrganization(settings)), ...given };
  invented.set(settings, all);
  return accounts === "products" ? { accounts: productAccounts(all.name), ...all } : all;
}

/**
 * Draws every field, whether given or not, so that giving one does not change another. Only the addresses depend on the name. A seed always
 * gives the same; without one, the consumer key does.
 */
export function inventOrganization(
  settings: Pick<AccountSettings, "seed" | "consumer_key"> & { readonly organization?: Partial<Organization> },
): Invented {
  const { seed, consumer_key: consumerKey, organization } = settings;
  const faker = fakerFor(contentKey(seed === undefined ? `|${consumerKey}` : String(seed)));
  const drawn = {
    name: faker.company.name(),
    location: faker.location.streetAddress(),
    office_mobile: faker.phone.number({ style: "international" }),
  };
  const provider = `${domainLabel(organization?.name ?? drawn.name)}.example`;
  const email = faker.internet.email({ provider }).toLowerCase();
  return { ...drawn, website: `https://www.${provider}`, office_email: email };
}

/** The seed is passed in two halves, because faker would truncate a number to 32 bits. */
function fakerFor(seed: number): Faker {
  const faker = new Faker({ locale: [KENYA, base] });
  faker.seed([seed % 2 ** 32, Math.floor(seed / 2 ** 32)]);
  return faker;
}

/**
 * Converts the name to a label under `.example`, a domain that nobody can own (RFC 2606 §2). A label has at most 63 octets (RFC 1035
 * §2.3.4).
 */
function domainLabel(name: string): string {
  const words = name
    .normalize("NFKD")
    .replace(/\p{M}/gu, "")
    .toLowerCase()
    .match(/[a-z0-9]+/g) ?? ["mfano"];
  const withoutForm = words.filter((word) => word !== "ltd" && word !== "limited");
  return (withoutForm.length > 0 ? withoutForm : words).join("-").slice(0, 63).replace(/-$/, "");
}

/** A guess: the document names the two fields of an entry but gives no account names. */
function productAccounts(name: string): NonNullable<Organization["accounts"]> {
  const label = domainLabel(name);
  return PRODUCTS.map((service) => ({ account: `${label}-${service}`, service_name: service }));
}
