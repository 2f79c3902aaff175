import * as fc from "fast-check";
import { expect, test } from "vitest";
import { inventOrganization } from "../../../src/gateway/adapters/random/organization.ts";
import { inventTopUpCode, seededRandom } from "../../../src/gateway/adapters/random/seeded-random.ts";
import { CARRIERS, parsePhoneNumber, routeTo } from "../../../src/gateway/domain/carrier.ts";

const settings = fc.record({ seed: fc.maxSafeNat(), consumer_key: fc.constant("sandbox-key") });
const numbering = { ported_share: 1, ported: {}, prefixes: {} };

test("the same seed gives the same profile, byte for byte, whatever was invented in between", () => {
  fc.assert(
    fc.property(settings, settings, (one, other) => {
      const first = inventOrganization(one);
      inventOrganization(other);
      const second = inventOrganization(one);

      expect(JSON.stringify(second)).toBe(JSON.stringify(first));
    }),
  );
});

test("every profile has the forms that the gateway shows, at addresses that nobody can own", () => {
  fc.assert(
    fc.property(settings, (one) => {
      expect(inventOrganization(one)).toEqual({
        name: expect.stringMatching(/^Mfano \w+ [\w ]+ Ltd$/),
        location: expect.stringMatching(/^\w+ - [\w ]+, [\w ]+, [\w ]+$/),
        website: expect.stringMatching(/^https:\/\/www\.[a-z0-9-]{1,63}\.example$/),
        office_email: expect.stringMatching(/^[a-z]+[._]?([a-z]+)?\d*@[a-z0-9-]{1,63}\.example$/),
        office_mobile: expect.stringMatching(/^\+2547000000\d\d$/),
      });
      expect(inventTopUpCode(seededRandom(), String(one.seed))).toMatch(/^[A-Z][0-9A-F]{5}$/);
    }),
  );
});

test("every telephone number belongs to the carrier of its prefix", () => {
  fc.assert(
    fc.property(settings, (one) => {
      const number = parsePhoneNumber(inventOrganization(one).office_mobile, "lenient");

      expect(number && CARRIERS).toContain(number && routeTo(number, numbering)?.carrier);
    }),
  );
});
