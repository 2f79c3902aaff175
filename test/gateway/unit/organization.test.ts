import { expect, test } from "vitest";
import { inventOrganization } from "../../../src/gateway/adapters/random/organization.ts";

const COMPLETE = {
  name: "Mfano Ltd",
  location: "Nairobi - Westlands",
  website: "https://www.mfano.example",
  office_email: "ofisi@mfano.example",
  office_mobile: "+254700000001",
  top_up_code: "B9E573",
  accounts: [{ account: "mfano", service_name: "sms" }],
};

// A seed that somebody wrote down must give the same profile in every later version.
test("invents what it has always invented", async () => {
  const organization = await inventOrganization(7, {});

  expect(organization).toMatchInlineSnapshot(`
    {
      "accounts": [
        {
          "account": "mfano-ukindu-dairies-airtime",
          "service_name": "airtime",
        },
        {
          "account": "mfano-ukindu-dairies-sms",
          "service_name": "sms",
        },
      ],
      "location": "Mombasa - Tudor, Msonobari Plaza, Tom Mboya Avenue",
      "name": "Mfano Ukindu Dairies Ltd",
      "office_email": "kamau.wekesa@mfano-ukindu-dairies.example",
      "office_mobile": "+254700000098",
      "top_up_code": "Q98A4E",
      "website": "https://www.mfano-ukindu-dairies.example",
    }
  `);
});

test("hands back a complete profile as it is", async () => {
  const organization = await inventOrganization(7, COMPLETE);

  expect(organization).toBe(COMPLETE);
});

test("keeps what is given and invents the rest as if it were not", async () => {
  const invented = await inventOrganization(7, {});

  const organization = await inventOrganization(7, { location: "Lamu", top_up_code: "A00001" });

  expect(organization).toEqual({ ...invented, location: "Lamu", top_up_code: "A00001" });
});

test.each([
  ["Mfano Ltd", "mfano"],
  ["Duka la Café & Sons Limited", "duka-la-cafe-sons"],
  ["Ltd", "ltd"],
  ["株式会社", "mfano"],
  ["a".repeat(62) + " b", "a".repeat(62)],
])("derives addresses and account names from the name %j", async (name, label) => {
  const organization = await inventOrganization(7, { name });

  expect(organization.website).toBe(`https://www.${label}.example`);
  expect(organization.office_email).toMatch(new RegExp(`^[a-z]+\\.[a-z]+@${label}\\.example$`));
  expect(organization.accounts).toEqual([
    { account: `${label}-airtime`, service_name: "airtime" },
    { account: `${label}-sms`, service_name: "sms" },
  ]);
});

test("seeds that differ only above 32 bits give different profiles", async () => {
  const small = await inventOrganization(7, {});

  const large = await inventOrganization(7 + 2 ** 32, {});

  expect(large).not.toEqual(small);
});
