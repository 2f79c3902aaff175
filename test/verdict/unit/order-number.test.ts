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

test("airtime is within what an application usually sells, and its price after the discount has cents", () => {
  const amounts = Array.from({ length: 2_000 }, (_, index) => amountOf(index));

  expect(Math.min(...amounts)).toBe(21);
  expect(Math.max(...amounts)).toBe(98);
  expect(amounts.filter((amount) => (amount * 95) % 100 === 0)).toEqual([]);
});

test("an order's amount is not that of the order before it", () => {
  const amounts = Array.from({ length: 2_000 }, (_, index) => amountOf(index));

  expect(amounts.filter((amount, index) => amount === amounts[index - 1])).toEqual([]);
});

test("of the amounts that an application sells, each has its turn", () => {
  const amounts = Array.from({ length: 6 }, (_, index) => amountOf(index, [20, 50, 100]));

  expect(amounts.toSorted((one, other) => one - other)).toEqual([20, 20, 50, 50, 100, 100]);
});

test("amounts that arrive otherwise by pairs are those of the pairs", () => {
  const delivers = { amount: [[50, 55]] as [number, number][], message: "exact" } as const;

  expect(newOrder("airtime", { seed: 7, startedAt: 0, index: 3, map: { delivers } }).amount).toBe(50);
});

test("each recipient of an SMS has a number of its own", () => {
  const request = { url: "{app}/{phone_numbers}" };
  const orders = Array.from({ length: 1_000 }, (_, index) =>
    newOrder("sms", { seed: 7, startedAt: 0, index, map: { order: { sms: { request, recipients: 3 } } } }),
  );

  expect(new Set(orders.flatMap(({ phoneNumber, recipients = [] }) => [phoneNumber, ...recipients])).size).toBe(3_000);
});

function amountOf(index: number, amounts?: number[]): number {
  const map = amounts === undefined ? {} : { amounts };
  return newOrder("airtime", { seed: 7, startedAt: 0, index, map }).amount;
}

test("two runs with one seed have no number and no reference in common, and the same amounts", () => {
  const [first, second] = [1_763_000_000_000, 1_763_000_060_000].map((startedAt) =>
    Array.from({ length: 500 }, (_, index) => newOrder("airtime", { seed: 7, startedAt, index, map: {} })),
  );

  const known = new Set(first?.flatMap(({ phoneNumber, reference }) => [phoneNumber, reference]));
  expect(second?.filter(({ phoneNumber, reference }) => known.has(phoneNumber) || known.has(reference))).toEqual([]);
  expect(second?.map(({ amount }) => amount)).toEqual(first?.map(({ amount }) => amount));
});
