import type { SimpleFaker } from "@faker-js/faker";
import { PRODUCTS } from "../../domain/order.ts";
import type { GatewaySettings } from "../../settings/gateway.ts";
import type { Organization } from "../../settings/account-settings.ts";
import { BUILDINGS, FAMILY_NAMES, GIVEN_NAMES, PLACES, TRADES, WORDS } from "./kenyan-names.ts";

type AccountsListed = GatewaySettings["account_details"]["accounts"];

/**
 * Completes a partial profile, but has no product accounts if sender IDs are listed in their place. The same seed and the same gaps always
 * give the same profile.
 */
export async function inventOrganization(
  seed: number,
  given: Partial<Organization>,
  listed: AccountsListed = "products",
): Promise<Organization> {
  if (isComplete(given, listed)) return given;
  return completed(await fakerFor(seed), given, listed);
}

function isComplete(given: Partial<Organization>, listed: AccountsListed): given is Organization {
  const {
    name,
    location,
    website,
    office_email: officeEmail,
    office_mobile: officeMobile,
    top_up_code: topUpCode,
    accounts,
  } = given;
  const needed = [name, location, website, officeEmail, officeMobile, topUpCode];
  return [...needed, ...(listed === "products" ? [accounts] : [])].every((field) => field !== undefined);
}

/**
 * Loaded when the first profile is generated. SimpleFaker has no locale data, which keeps the bundle small. The seed is passed in two
 * halves, because faker would truncate a number to 32 bits.
 */
async function fakerFor(seed: number): Promise<SimpleFaker> {
  const { SimpleFaker } = await import("@faker-js/faker");
  const faker = new SimpleFaker();
  faker.seed([seed % 2 ** 32, Math.floor(seed / 2 ** 32)]);
  return faker;
}

/** Draws every field, whether given or not, so that giving one does not change another. Only the addresses depend on the name. */
function completed(faker: SimpleFaker, given: Partial<Organization>, listed: AccountsListed): Organization {
  const { helpers } = faker;
  const drawn = {
    name: `Mfano ${helpers.arrayElement(WORDS)} ${helpers.arrayElement(TRADES)} Ltd`,
    location: drawLocation(faker),
    office_mobile: drawMobile(faker),
    top_up_code: drawTopUpCode(faker),
  };
  const person = `${helpers.arrayElement(GIVEN_NAMES)}.${helpers.arrayElement(FAMILY_NAMES)}`.toLowerCase();
  const label = domainLabel(given.name ?? drawn.name);
  const { name, location, ...others } = drawn;
  const addresses = { website: `https://www.${label}.example`, office_email: `${person}@${label}.example` };
  const accounts = listed === "products" ? { accounts: accountsOf(label) } : {};
  return { name, location, ...addresses, ...others, ...accounts, ...given };
}

/** "Nairobi - Westlands, Mvule House, Waiyaki Way": town, neighbourhood, building, road. */
function drawLocation({ helpers }: SimpleFaker): string {
  const [town, part, road] = helpers.arrayElement(PLACES);
  return `${town} - ${part}, ${helpers.arrayElement(BUILDINGS)}, ${road}`;
}

/** One of the sandbox's own numbers that behave normally (magic numbers 000 to 099). */
function drawMobile({ string }: SimpleFaker): string {
  return `+2547000000${string.numeric(2)}`;
}

/** A letter and five hexadecimal digits, like the public example B9E573. */
function drawTopUpCode({ string }: SimpleFaker): string {
  return string.alpha({ length: 1, casing: "upper" }) + string.hexadecimal({ length: 5, casing: "upper", prefix: "" });
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
function accountsOf(label: string): NonNullable<Organization["accounts"]> {
  return PRODUCTS.map((service) => ({ account: `${label}-${service}`, service_name: service }));
}
