import fc from "fast-check";
import { expect, test } from "vitest";
import { type LedgerLine, readLedger } from "../../../src/gateway/account/readings/ledger.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { topUp } from "../../../src/gateway/engine/commands.ts";
import { balancePoints } from "../../../src/dashboard/views/account/balance-curve.tsx";
import { plainAmount } from "../../../src/dashboard/format.ts";
import { LedgerSearch, signed } from "../../../src/dashboard/views/account/ledger-words.ts";
import { NOTHING_WRITTEN, readJsonFile, readSubmission } from "../../../src/dashboard/views/account/read-input.ts";
import { buyAirtime, testWorld } from "../../support/gateway/world.ts";

const START = Date.UTC(2025, 0, 6, 6);

test("the curve has one point for each change of what is available, and none for a settlement that changed nothing", async () => {
  const { account } = testWorld({ account: { balance: cents(10_000) } });
  buyAirtime(account, 100);
  await account.advance({ by: 1_000 }, 1_000);
  topUp(account, cents(500));

  const points = balancePoints(readLedger(account.read()), 1_000);

  expect(points).toEqual([
    { at: START, available: 10_000 },
    { at: START, available: 500 },
    { at: START + 1_000, available: 1_000 },
  ]);
});

test("a long curve keeps the first and the last point, the lowest and the highest", () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 1_000_000 }), { minLength: 1, maxLength: 300 }),
      fc.integer({ min: 2, max: 20 }),
      (amounts, most) => {
        const entries = amounts.map((amount, index) => ({
          number: index,
          at: START + index * 1_000,
          available: cents(amount),
        }));

        const points = balancePoints(entries, 2 * most);

        const kept = points.map<number>(({ available }) => available);
        expect(points.length).toBeLessThanOrEqual(2 * most + 2);
        expect([kept.at(0), kept.at(-1)]).toEqual([amounts.at(0), amounts.at(-1)]);
        expect([Math.min(...kept), Math.max(...kept)]).toEqual([Math.min(...amounts), Math.max(...amounts)]);
        expect(points.map(({ at }) => at)).toEqual(points.map(({ at }) => at).toSorted((one, other) => one - other));
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

test("a sender ID is submitted without documents where none are named", () => {
  const submission = readSubmission({ ...NOTHING_WRITTEN, senderId: "MFANO", carriers: ["airtel"] });

  expect(submission).toEqual({ sender_id: "MFANO", carriers: ["airtel"] });
});

test("the document that is named goes along", () => {
  const { documents } = readSubmission({ ...NOTHING_WRITTEN, senderId: "MFANO", letter: " letter.pdf " });

  expect(documents).toEqual({ authorization_letter: "letter.pdf" });
});

test("a file to import is read as JSON", async () => {
  const content = await readJsonFile(new File(['{"kredo":"1"}'], "account.json"));

  expect(content).toEqual({ kredo: "1" });
});

test("a file that is not JSON is named, with what to choose instead", async () => {
  const reading = readJsonFile(new File(["kredo: 1"], "account.yaml"));

  await expect(reading).rejects.toThrow(/^account\.yaml is not JSON \(.+\); choose what Export gave, unchanged$/);
});
