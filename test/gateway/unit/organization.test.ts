import { expect, test } from "vitest";
import { inventOrganization, organizationOf } from "../../../src/gateway/adapters/random/organization.ts";
import { inventTopUpCode, seededRandom } from "../../../src/gateway/adapters/random/seeded-random.ts";
import type { AccountSettings, Organization } from "../../../src/gateway/settings/account-settings.ts";
import { accountSettings } from "../../support/gateway/world.ts";

const PRODUCTS = { account_details: { top_up_code: "mobilemoney", accounts: "products" } } as const;
const CODE = { top_up_code: "B9E573" };

// A seed that somebody wrote down must give the same profile in every later version.
test("invents what it has always invented", () => {
  expect(inventOrganization({ seed: 7, consumer_key: "" })).toMatchInlineSnapshot(`
    {
      "location": "Kisumu - Milimani, Msonobari Plaza, Ring Road",
      "name": "Mfano Nyota Microfinance Ltd",
      "office_email": "wanjiru79@mfano-nyota-microfinance.example",
      "office_mobile": "+254700000095",
      "website": "https://www.mfano-nyota-microfinance.example",
    }
  `);
  expect(inventTopUpCode(seededRandom(), "7")).toMatchInlineSnapshot(`"JC549B"`);
});

test("keeps what is given and invents the rest as if it were not", () => {
  const given = { location: "Lamu", top_up_code: "A00001", accounts: [{ account: "lamu", service_name: "sms" }] };

  expect(shown(given)).toEqual({ ...shown(CODE), ...given });
});

test.each([
  ["Mfano Ltd", "mfano"],
  ["Duka la Café & Sons Limited", "duka-la-cafe-sons"],
  ["Ltd", "ltd"],
  ["株式会社", "mfano"],
  ["a".repeat(62) + " b", "a".repeat(62)],
])("derives addresses and account names from the name %j", (name, label) => {
  const organization = shown({ name, ...CODE });

  expect(organization.website).toBe(`https://www.${label}.example`);
  expect(organization.office_email).toMatch(new RegExp(`^[a-z._0-9]+@${label}\\.example$`));
  expect(organization.accounts).toEqual([
    { account: `${label}-airtime`, service_name: "airtime" },
    { account: `${label}-sms`, service_name: "sms" },
  ]);
});

test("seeds that differ only above 32 bits give different profiles", () => {
  const [small, large] = [7, 7 + 2 ** 32].map((seed) => inventOrganization({ seed, consumer_key: "" }));

  expect(large).not.toEqual(small);
});

test("without a seed, a consumer key has its own profile", () => {
  const [one, again, other] = ["duka", "duka", "soko"].map((key) => inventOrganization({ consumer_key: key }));

  expect(again).toEqual(one);
  expect(other).not.toEqual(one);
});

function shown(organization: AccountSettings["organization"]): Organization {
  return organizationOf(accountSettings({ seed: 7, organization }), PRODUCTS);
}
