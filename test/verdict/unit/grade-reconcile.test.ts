import { expect, test } from "vitest";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { gradeReconcile } from "../../../src/verdict/rehearsal/grade/reconcile.ts";
import { parseJsonPath } from "../../../src/verdict/application/values.ts";
import type { ReconcileCheck } from "../../../src/verdict/rehearsal/check-schema.ts";
import { evidenceOf, withoutBeginning } from "../../support/evidence.ts";
import { accepted, request, settled } from "../../support/finding-events.ts";
import { airtime } from "../../support/world.ts";

const DONE = { callback: { none: "no URL" } };
const evidence = evidenceOf([
  accepted("a", 1, { order: airtime(100) }),
  settled("a", 2, { charge: cents(9_500), ...DONE }),
  accepted("b", 3, { order: airtime(10) }),
  settled("b", 4, { charge: cents(950), ...DONE }),
  accepted("c", 5, { order: airtime(20) }),
  settled("c", 6, { outcome: "failed", ...DONE }),
]);
type BooksForm = Pick<ReconcileCheck, "total" | "since" | "json" | "csv">;

const LIST: BooksForm = { json: { list: path("$[*]"), request_id: path("$.id"), amount: path("$.sum") } };
const TOTAL: BooksForm = { total: path("$.total") };
const CSV: BooksForm = { csv: { request_id: "id", amount: "sum" } };

test.each<[BooksForm, unknown]>([
  [TOTAL, { total: "104.50" }],
  [TOTAL, { total: 104.5 }],
  [{ ...TOTAL, since: "1000.25" }, { total: "1104.75" }],
  [
    LIST,
    [
      { id: "a", sum: 95 },
      { id: "b", sum: "9.50" },
    ],
  ],
  [
    LIST,
    [
      { id: "b", sum: "9.50" },
      { id: "a", sum: 50 },
      { id: "a", sum: 45 },
      { id: "c", sum: 0 },
    ],
  ],
  [
    LIST,
    [
      { id: "a", sum: 190 },
      { id: "a", sum: -95 },
      { id: "b", sum: 9.5 },
    ],
  ],
  [CSV, 'id,note,sum\r\na,"with, comma",95.00\r\n\r\n"b","a ""quote""\nand a line", 9.50 \r\n'],
  [CSV, "\uFEFFsum,id\n95,a\n9.5,b"],
])("%j agrees with the ledger in %j", (books, written) => {
  const verdict = gradeReconcile(expected(books), answer(written), { evidence, values: new Map() });

  expect(verdict).toMatchObject({ is: "passed" });
});

test("lists each difference by its request_id", () => {
  const written = [
    { id: "a", sum: "95.00" },
    { id: "a", sum: "95.00" },
    { id: "x", sum: "0.01" },
  ];

  const verdict = gradeReconcile(expected(LIST), answer(written), { evidence, values: new Map() });

  expect(verdict).toEqual({
    is: "failed",
    seen: "3 differences: a: books KES 190.00 (2 entries), ledger KES 95.00; b: books KES 0.00 (no entry), ledger KES 9.50; x: books KES 0.01, ledger KES 0.00",
    exchanges: [request("a"), request("b"), request("x")],
  });
});

test("says where what the books were before is no amount", () => {
  const verdict = gradeReconcile(expected({ ...TOTAL, since: "nothing" }), answer({ total: "104.50" }), {
    evidence,
    values: new Map(),
  });

  expect(verdict).toMatchObject({ is: "failed", seen: expect.stringContaining('the total before is "nothing"') });
});

test("fails a total that is off by a cent", () => {
  const verdict = gradeReconcile(expected(TOTAL), answer({ total: 104.51 }), { evidence, values: new Map() });

  expect(verdict).toMatchObject({ is: "failed", seen: "books KES 104.51, ledger KES 104.50" });
});

test("compares airtime's own amount where the books hold that", () => {
  const verdict = gradeReconcile({ ...expected(TOTAL), compare: "amount" }, answer({ total: "110.00" }), {
    evidence,
    values: new Map(),
  });

  expect(verdict).toMatchObject({ is: "passed", seen: "books KES 110.00, ledger KES 110.00" });
});

test.each<[BooksForm, unknown, string]>([
  [TOTAL, { total: 0.1 + 0.2 }, "$.total is 0.30000000000000004, which is not shillings in whole cents"],
  [TOTAL, {}, "$.total is missing, which is not shillings in whole cents"],
  [LIST, [{ id: "a", sum: 95 }, { sum: 9.5 }], "entry 2: $.id is missing, which is not a request_id"],
  [LIST, [{ id: "a", sum: "95,00" }], 'entry 1: $.sum is "95,00", which is not shillings in whole cents'],
  [CSV, "request,sum\na,95", "the first line has no column id, only request, sum"],
  [LIST, "nothing", "the answer is not JSON"],
])("%j cannot be read from %j", (books, written, why) => {
  const verdict = gradeReconcile(expected(books), answer(written), { evidence, values: new Map() });

  expect(verdict).toEqual({ is: "failed", seen: `the books cannot be read: ${why}`, exchanges: [] });
});

test("does not assess books while something is still to be charged, or was evicted", () => {
  const coming = evidenceOf([accepted("a", 1)]);

  const verdicts = [coming, withoutBeginning(evidence)].map((one) =>
    gradeReconcile(expected(TOTAL), answer({ total: 0 }), { evidence: one, values: new Map() }),
  );

  expect(verdicts.map(({ is }) => is)).toEqual(["not assessed", "not assessed"]);
});

function expected(books: BooksForm): ReconcileCheck {
  return { command: { run: "books", timeout: 1 }, within: 0, every: 0, compare: "charge", ...books };
}

function answer(written: unknown): { kind: "answered"; status: number; text: string } {
  return { kind: "answered", status: 200, text: typeof written === "string" ? written : JSON.stringify(written) };
}

function path(text: string) {
  const parsed = parseJsonPath(text);
  if (parsed === undefined) throw new Error(`${text} is no JSONPath`);
  return parsed;
}
