import * as fc from "fast-check";
import { expect, test } from "vitest";
import { CARRIERS, routeTo, type PhoneNumber, type Numbering } from "../../../src/gateway/domain/carrier.ts";
import { phone } from "../../support/gateway/world.ts";

test.each([0.01, 0.03, 0.25, 0.5, 0.9])("ports about %d of the numbers in a row", (portedShare) => {
  const numbers = numbersFrom(712_000_000, 20_000);

  const ported = numbers.filter((number) => routeTo(number, withShare(portedShare))?.ported).length;

  // Four standard deviations of so many independent draws.
  expect(Math.abs(ported / 20_000 - portedShare)).toBeLessThan(
    4 * Math.sqrt((portedShare * (1 - portedShare)) / 20_000),
  );
});

test("ports nobody at share 0 and everybody but the magic numbers at share 1", () => {
  fc.assert(
    fc.property(assignedNumbers, (number) => {
      const routes = [routeTo(number, withShare(0)), routeTo(number, withShare(1))];

      expect(routes.map((route) => route?.ported)).toEqual([false, !number.startsWith("254700000")]);
    }),
  );
});

test("ports a number by the number alone, whatever the settings say of others", () => {
  fc.assert(
    fc.property(assignedNumbers, overrides, prefixes, (number, ported, prefixes) => {
      const { [number]: _, ...others } = ported;
      const alone = routeTo(number, withShare(0.3));

      const among = routeTo(number, { ported_share: 0.3, ported: others, prefixes });

      expect(among).toEqual(alone);
    }),
  );
});

test("keeps a number ported, to the same carrier, when the share grows", () => {
  fc.assert(
    fc.property(assignedNumbers, share, share, (number, one, another) => {
      const less = routeTo(number, withShare(Math.min(one, another)));

      const more = routeTo(number, withShare(Math.max(one, another)));

      expect([less?.ported, more]).toSatisfy(([ported, route]) => !ported || route?.carrier === less?.carrier);
    }),
  );
});

const anyNumbers = fc
  .tuple(fc.constantFrom("7", "1"), fc.stringMatching(/^\d{8}$/))
  .map(([first, rest]) => phone(`254${first}${rest}`));

const assignedNumbers = fc
  .tuple(
    fc.constantFrom("101", "115", "120", "143", "700", "712", "733", "756", "772", "789"),
    fc.stringMatching(/^\d{6}$/),
  )
  .map(([prefix, rest]) => phone(`254${prefix}${rest}`));

const overrides = fc.dictionary(anyNumbers, fc.constantFrom(...CARRIERS));

const prefixes = fc.dictionary(fc.constantFrom("747", "763", "7441", "760123"), fc.constantFrom(...CARRIERS));

const share = fc.double({ min: 0, max: 1, noNaN: true });

function withShare(portedShare: number): Numbering {
  return { ported_share: portedShare, ported: {}, prefixes: {} };
}

function numbersFrom(first: number, count: number): readonly PhoneNumber[] {
  return Array.from({ length: count }, (_, index) => phone(`254${first + index}`));
}
