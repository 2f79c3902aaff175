import fc from "fast-check";
import { expect, test } from "vitest";
import type { LedgerEntry } from "../../src/account/readings/ledger.ts";
import { cents } from "../../src/domain/kes.ts";
import { pick, pointAt, shapeCurve, stepTo } from "../../src/dashboard/panels/wallet/curve-shape.ts";
import { siftLedger, signed } from "../../src/dashboard/panels/wallet/ledger-words.ts";
import { plainAmount } from "../../src/dashboard/panels/wallet/plain-amount.ts";

const START = Date.UTC(2025, 0, 6, 6);

test("the curve steps down and ends at the right edge", () => {
  const shape = shapeCurve(pointsOf([10_000, 5_000, 0]));

  expect(shape.line).toBe("M0 0H476.19V100H952.38V200H1000");
});

test("the money axis counts in round steps, and time that is short has the moment of its first change", () => {
  const { ticks, moments, isOverDays } = shapeCurve(pointsOf([10_000, 5_000, 0]));

  expect(ticks.map(({ amount, y }) => [amount, y])).toEqual([
    [0, 1],
    [5_000, 0.5],
    [10_000, 0],
  ]);
  expect(moments.map(({ at }) => at - START)).toEqual([0, 1_000, 2_000]);
  expect(isOverDays).toBe(false);
});

test.each([
  [
    "2025-01-06T14:10:07+03:00",
    "2025-01-06T15:29:00+03:00",
    ["14:15", "14:30", "14:45", "15:00", "15:15"].map((time) => `2025-01-06T${time}:00+03:00`),
  ],
  ["2025-01-06T14:10:00.100+03:00", "2025-01-06T14:10:00.700+03:00", ["2025-01-06T14:10:00.100+03:00"]],
  [
    "2025-01-06T22:00:00+03:00",
    "2025-01-08T10:00:00+03:00",
    ["07T00", "07T06", "07T12", "07T18", "08T00", "08T06"].map((hour) => `2025-01-${hour}:00:00+03:00`),
  ],
  [
    "2025-01-06T22:00:00+03:00",
    "2025-04-06T22:00:00+03:00",
    ["01-16", "01-30", "02-13", "02-27", "03-13", "03-27"].map((day) => `2025-${day}T00:00:00+03:00`),
  ],
])("between %s and %s it tells round moments in Nairobi", (first, last, expected) => {
  const { moments } = shapeCurve([first, last].map((text) => ({ at: Date.parse(text), available: cents(5) })));

  expect(moments.map(({ at }) => at)).toEqual(expected.map((text) => Date.parse(text)));
});

test("a clock that stood still has one moment, and its changes in order", () => {
  const { points, moments } = shapeCurve([10_000, 9_000, 8_000, 7_000].map((amount) => ({ at: START, available: cents(amount) })));

  expect(points.map(({ x }) => x)).toEqual([0, 0.25, 0.5, 0.75]);
  expect(moments).toEqual([{ at: START, x: 0 }]);
});

test.each([
  [0, 0],
  [0.3, 0],
  [0.5, 1],
  [0.99, 2],
  [1.2, 2],
  [-0.1, 0],
])("at %d of the way the change before it says what was available", (x, index) => {
  const { points } = shapeCurve(pointsOf([10_000, 5_000, 0]));

  expect(pointAt(points, x)).toBe(index);
});

test.each([
  ["ArrowLeft", 4],
  ["ArrowRight", 6],
  ["PageUp", 7],
  ["Home", 0],
  ["End", 19],
  ["a", undefined],
])("the key %s leads from point 5 to %s", (key, to) => {
  expect(stepTo(key, 5, 20)).toBe(to);
});

test("no key leads out of the curve", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("ArrowLeft", "ArrowRight", "PageUp", "PageDown"),
      fc.nat(99),
      fc.integer({ min: 1, max: 100 }),
      (key, from, count) => {
        const to = stepTo(key, Math.min(from, count - 1), count);

        expect(to).toBeGreaterThanOrEqual(0);
        expect(to).toBeLessThan(count);
      },
    ),
  );
});

test("the table to listen to has at most so many rows, among them the first, the last, the lowest and the highest", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 1_000_000 }), { minLength: 1, maxLength: 300 }),
      fc.integer({ min: 4, max: 40 }),
      (amounts, most) => {
        const points = pointsOf(amounts);

        const picked = pick(points, most);

        expect(picked.length).toBeLessThanOrEqual(most);
        expect(picked.at(0)).toBe(points.at(0));
        expect(picked.at(-1)).toBe(points.at(-1));
        expect(Math.min(...picked.map<number>(({ available }) => available))).toBe(Math.min(...amounts));
        expect(Math.max(...picked.map<number>(({ available }) => available))).toBe(Math.max(...amounts));
      },
    ),
  );
});

const ENTRIES: readonly LedgerEntry[] = [
  { number: 1, at: START, kind: "opening", amount: cents(10_000), balance: cents(10_000), available: cents(10_000) },
  { number: 2, at: START, kind: "hold", amount: cents(-4_750), requestId: "4b1f", balance: cents(10_000), available: cents(5_250) },
  { number: 3, at: START, kind: "top_up", amount: cents(500), balance: cents(10_500), available: cents(5_750) },
];

test("the ledger is read newest first", () => {
  const numbers = siftLedger(ENTRIES, "", nobody).map(({ number }) => number);

  expect(numbers).toEqual([3, 2, 1]);
});

test.each([
  ["hold", [2]],
  ["4B1F", [2]],
  ["paybill", [3]],
  ["top-up 5.00", [3]],
  ["hold paybill", []],
])("searched for %j, the ledger has the entries %j", (search, numbers) => {
  expect(siftLedger(ENTRIES, search, nobody).map(({ number }) => number)).toEqual(numbers);
});

test.each([
  [cents(-4_750), "−47.50"],
  [cents(123_456), "+1,234.56"],
])("an amount of %d cents is written %s", (amount, text) => {
  expect(signed(amount)).toBe(text);
});

test.each([
  ["KES 1,000", "1000"],
  [" 12 500.50 ", "12500.50"],
  ["99.5", "99.5"],
  ["1,00", "1,00"],
  ["a lot", "a lot"],
])("the amount %j is sent as %j", (written, sent) => {
  expect(plainAmount(written)).toBe(sent);
});

function nobody(): undefined {
  return undefined;
}

function pointsOf(amounts: readonly number[]) {
  return amounts.map((amount, index) => ({ at: START + index * 1_000, available: cents(amount) }));
}
