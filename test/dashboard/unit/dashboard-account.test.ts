import { expect, test } from "vitest";
import type { LedgerLine } from "../../../src/gateway/account/readings/ledger.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { plainAmount } from "../../../src/dashboard/base/format.ts";
import { findEntries, signed } from "../../../src/dashboard/views/account/ledger-words.ts";
import { NOTHING_WRITTEN, readJsonFile, readSubmission } from "../../../src/dashboard/views/account/read-input.ts";

const START = Date.UTC(2025, 0, 6, 6);

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
  return findEntries(ENTRIES, search, () => undefined).map(({ number }) => number);
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
