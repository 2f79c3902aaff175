import { expect, test } from "vitest";
import type { LedgerLine } from "../../../src/gateway/account/readings/ledger.ts";
import { Aftermaths } from "../../../src/gateway/account/readings/aftermaths.ts";
import { accepted } from "../../support/finding-events.ts";
import { airtime } from "../../support/gateway/world.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { plainAmount } from "../../../src/dashboard/base/format.ts";
import { entryOfEach, findEntries, signed } from "../../../src/dashboard/views/account/ledger-words.ts";
import { readJsonFile, readSubmission } from "../../../src/dashboard/views/account/read-input.ts";

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

test("a settlement is one entry, with the balances after it", () => {
  const at = { at: START, requestId: "4b1f" };
  const entries = entryOfEach([
    ...ENTRIES,
    { ...at, number: 4, kind: "release", amount: cents(4_750), balance: cents(10_500), available: cents(10_500) },
    { ...at, number: 4, kind: "charge", amount: cents(-4_750), balance: cents(5_750), available: cents(5_750) },
    { ...at, number: 5, kind: "release", amount: cents(100), balance: cents(5_750), available: cents(5_850) },
  ]);

  expect(entries.map(({ kind, available }) => ({ kind, available })).slice(-3)).toEqual([
    { kind: "top_up", available: 5_750 },
    { kind: "charge", available: 5_750 },
    { kind: "release", available: 5_850 },
  ]);
});

test.each([
  ["hold", [2]],
  ["4B1F", [2]],
  ["paybill", [3]],
  ["top-up 5.00", [3]],
  ["52.50", [2]],
  ["-47.50", [2]],
  ["−47.50", [2]],
  ["09:00", [3, 2, 1]],
  ["hold paybill", []],
])("searched for %j, the ledger has the entries %j", (search, numbers) => {
  expect(numbersOf(search)).toEqual(numbers);
});

test.each(["254712345678", "0712 345 678", "+254712", "0712"])(
  "the ledger is searched for a number as it is typed: %s",
  (number) => {
    const aftermaths = new Aftermaths();
    aftermaths.take(accepted("4b1f", 1, { order: airtime(50, "254712345678") }));

    const found = findEntries(ENTRIES, number, (requestId) => aftermaths.transactionOf(requestId));

    expect(found.map(({ requestId }) => requestId)).toEqual(["4b1f"]);
  },
);

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
  const submission = readSubmission(written({ sender_id: "MFANO", carriers: "airtel", registration_pdf: " " }));

  expect(submission).toEqual({ sender_id: "MFANO", carriers: ["airtel"] });
});

test("the document that is named goes along", () => {
  const { documents } = readSubmission(written({ sender_id: "MFANO", authorization_letter: " letter.pdf " }));

  expect(documents).toEqual({ authorization_letter: "letter.pdf" });
});

function written(fields: Readonly<Record<string, string>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  return form;
}

test("a file to import is read as JSON", async () => {
  const content = await readJsonFile(new File(['{"kredo":"1"}'], "account.json"));

  expect(content).toEqual({ kredo: "1" });
});

test("a file that is not JSON is named, with what to choose instead", async () => {
  const reading = readJsonFile(new File(["kredo: 1"], "account.yaml"));

  await expect(reading).rejects.toThrow(/^account\.yaml is not JSON \(.+\); choose what Export gave, unchanged$/);
});
