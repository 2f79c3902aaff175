import { expect, test } from "vitest";
import { orderNumber } from "../../../src/verdict/application/new-order.ts";

test.each([7, 999_999_999, 54_189_236_652_141, Number.MAX_SAFE_INTEGER])(
  "each order of a run with seed %i has a number of its own",
  (seed) => {
    const numbers = Array.from({ length: 100 }, (_, index) => orderNumber(seed, index));

    expect(new Set(numbers).size).toBe(100);
    expect(numbers.filter((number) => !/^25471\d{7}$/.test(number))).toEqual([]);
  },
);
