import * as fc from "fast-check";
import { expect, test } from "vitest";
import { inventOrganization } from "../../../src/gateway/adapters/random/organization.ts";

const seed = fc.maxSafeNat();

test("the same seed gives the same profile, byte for byte, whatever was invented in between", async () => {
  await fc.assert(
    fc.asyncProperty(seed, seed, async (number, other) => {
      const first = await inventOrganization(number, {});
      await inventOrganization(other, {});
      const second = await inventOrganization(number, {});

      expect(JSON.stringify(second)).toBe(JSON.stringify(first));
    }),
  );
});

test("every profile has the forms that the gateway shows", async () => {
  await fc.assert(
    fc.asyncProperty(seed, async (number) => {
      const organization = await inventOrganization(number, {});

      expect(organization).toEqual({
        name: expect.stringMatching(/^Mfano \w+ [\w ]+ Ltd$/),
        location: expect.stringMatching(/^\w+ - [\w ]+, [\w ]+, [\w ]+$/),
        website: expect.stringMatching(/^https:\/\/www\.[a-z0-9-]{1,63}\.example$/),
        office_email: expect.stringMatching(/^[a-z]+\.[a-z]+@[a-z0-9-]{1,63}\.example$/),
        office_mobile: expect.stringMatching(/^\+2547000000\d\d$/),
        top_up_code: expect.stringMatching(/^[A-Z][0-9A-F]{5}$/),
        accounts: [
          { account: expect.any(String), service_name: "airtime" },
          { account: expect.any(String), service_name: "sms" },
        ],
      });
    }),
  );
});
