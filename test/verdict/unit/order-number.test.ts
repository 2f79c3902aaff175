import { expect, test } from "vitest";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { jsonPathValue } from "../../../src/verdict/application/json-path.ts";
import { newOrder, orderNumber, typeNumber } from "../../../src/verdict/application/new-order.ts";

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

const PAIRED = [
  { delivers: { amount: [[50, 55]] as [number, number][], message: "exact" } },
  { balance: { request: { url: "/" }, json_path: jsonPathValue.parse("$"), price: { pairs: [[50, cents(4_850)]] } } },
] as const;

test.each(PAIRED)("amounts that arrive otherwise or cost otherwise by pairs are those of the pairs: %j", (map) => {
  expect(newOrder("airtime", { seed: 7, startedAt: 0, draw: 3, map }).amount).toBe(50);
});

test.each([
  ["local", "0712 000 101"],
  ["plus", "+254712000101"],
] as const)("a customer types a number %s as %s", (typed, written) => {
  expect(typeNumber("254712000101", typed)).toBe(written);
  const { phoneNumber, typedNumber } = newOrder("airtime", {
    seed: 7,
    startedAt: 0,
    draw: 3,
    map: {},
    kind: { typed },
  });
  expect(typedNumber).toBe(typeNumber(phoneNumber, typed));
});

test("an order has again the number of the first, and the amount where that is meant, and a reference of its own", () => {
  const run = { seed: 7, startedAt: 0, map: {} };
  const first = newOrder("airtime", { ...run, draw: 1 });

  const again = newOrder("airtime", { ...run, draw: 2, first, kind: { again: "number" } });
  const both = newOrder("airtime", { ...run, draw: 3, first, kind: { again: "number and amount" } });

  expect(new Set([first, again, both].map(({ phoneNumber }) => phoneNumber)).size).toBe(1);
  expect([again, both].map(({ amount }) => amount === first.amount)).toEqual([false, true]);
  expect(new Set([first, again, both].map(({ reference }) => reference)).size).toBe(3);
});

test("each recipient of an SMS has a number of its own", () => {
  const request = { url: "{app}/{phone_numbers}" };
  const orders = Array.from({ length: 1_000 }, (_, index) =>
    newOrder("sms", { seed: 7, startedAt: 0, draw: index, map: { order: { sms: { request, recipients: 3 } } } }),
  );

  expect(new Set(orders.flatMap(({ phoneNumber, recipients = [] }) => [phoneNumber, ...recipients])).size).toBe(3_000);
});

function amountOf(index: number, amounts?: number[]): number {
  const map = amounts === undefined ? {} : { amounts };
  return newOrder("airtime", { seed: 7, startedAt: 0, draw: index, map }).amount;
}

test("two runs with one seed have no number and no reference in common, and the same amounts", () => {
  const [first, second] = [1_763_000_000_000, 1_763_000_060_000].map((startedAt) =>
    Array.from({ length: 500 }, (_, draw) => newOrder("airtime", { seed: 7, startedAt, draw, map: {} })),
  );

  const known = new Set(first?.flatMap(({ phoneNumber, reference }) => [phoneNumber, reference]));
  expect(second?.filter(({ phoneNumber, reference }) => known.has(phoneNumber) || known.has(reference))).toEqual([]);
  expect(second?.map(({ amount }) => amount)).toEqual(first?.map(({ amount }) => amount));
});
