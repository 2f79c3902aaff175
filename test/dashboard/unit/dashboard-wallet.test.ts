import fc from "fast-check";
import { expect, test } from "vitest";
import type { LedgerLine } from "../../../src/gateway/account/readings/ledger.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { thin } from "../../../src/dashboard/views/account/wallet-curve.ts";
import { LedgerSearch, plainAmount, signed } from "../../../src/dashboard/views/account/ledger-words.ts";

const START = Date.UTC(2025, 0, 6, 6);

test("the table to listen to has at most so many rows, among them the first, the last, the lowest and the highest", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 1_000_000 }), { minLength: 1, maxLength: 300 }),
      fc.integer({ min: 2, max: 20 }).map((half) => 2 * half),
      (amounts, most) => {
        const points = pointsOf(amounts);

        const picked = thin(points, most);

        expect(picked.length).toBeLessThanOrEqual(most);
        expect(picked.at(0)).toBe(points.at(0));
        expect(picked.at(-1)).toBe(points.at(-1));
        expect(Math.min(...picked.map<number>(({ available }) => available))).toBe(Math.min(...amounts));
        expect(Math.max(...picked.map<number>(({ available }) => available))).toBe(Math.max(...amounts));
      },
    ),
  );
});

const ENTRIES: readonly LedgerLine[] = [
  { number: 1, at: START, kind: "opening", amount: cents(10_000), balance: cents(10_000), available: cents(10_000) },
  {
    number: 2,
    at: START,
    kind: "hold",
    amount: cents(-4_750),
    requestId: "4b1f",
    balance: cents(10_000),
    available: cents(5_250),
  },
  { number: 3, at: START, kind: "top_up", amount: cents(500), balance: cents(10_500), available: cents(5_750) },
];

test("the ledger is read newest first", () => {
  expect(numbersOf("")).toEqual([3, 2, 1]);
});

test.each([
  ["hold", [2]],
  ["4B1F", [2]],
  ["paybill", [3]],
  ["top-up 5.00", [3]],
  ["hold paybill", []],
])("searched for %j, the ledger has the entries %j", (search, numbers) => {
  expect(numbersOf(search)).toEqual(numbers);
});

test("a search looks only at the entries that are new", () => {
  const asked: string[] = [];
  const find = (requestId: string): undefined => void asked.push(requestId);
  const reading = new LedgerSearch("hold");
  const ledger = [...ENTRIES];
  reading.refresh(ledger, find);

  ledger.push({
    number: 4,
    at: START,
    kind: "hold",
    amount: cents(-100),
    requestId: "77aa",
    balance: cents(10_500),
    available: cents(5_650),
  });
  reading.refresh(ledger, find);

  expect(asked).toEqual(["4b1f", "77aa"]);
  expect(reading.entries.map(({ number }) => number)).toEqual([4, 2]);
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

function numbersOf(search: string): readonly number[] {
  const reading = new LedgerSearch(search);
  reading.refresh(ENTRIES, () => undefined);
  return reading.entries.map(({ number }) => number);
}

function pointsOf(amounts: readonly number[]) {
  return amounts.map((amount, index) => ({ at: START + index * 1_000, available: cents(amount) }));
}
