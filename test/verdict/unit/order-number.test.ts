import { expect, test } from "vitest";
import { newOrder, orderNumber } from "../../../src/verdict/application/new-order.ts";

test.each([7, 999_999_999, 54_189_236_652_141, Number.MAX_SAFE_INTEGER])(
  "each order of a run with seed %i has a number of its own",
  (seed) => {
    const numbers = Array.from({ length: 100 }, (_, index) => orderNumber(seed, 1_763_000_000_000, index));

    expect(new Set(numbers).size).toBe(100);
    expect(numbers.filter((number) => !/^25471\d{7}$/.test(number))).toEqual([]);
  },
);

test("two runs with one seed have no number and no reference in common, and the same amounts", () => {
  const [first, second] = [1_763_000_000_000, 1_763_000_060_000].map((startedAt) =>
    Array.from({ length: 500 }, (_, index) => newOrder("airtime", { seed: 7, startedAt, index, map: {} })),
  );

  const known = new Set(first?.flatMap(({ phoneNumber, reference }) => [phoneNumber, reference]));
  expect(second?.filter(({ phoneNumber, reference }) => known.has(phoneNumber) || known.has(reference))).toEqual([]);
  expect(second?.map(({ amount }) => amount)).toEqual(first?.map(({ amount }) => amount));
});
