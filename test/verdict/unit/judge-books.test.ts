import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { cents, NO_MONEY } from "../../../src/gateway/domain/kes.ts";
import type { BookedCharge } from "../../../src/verdict/application/placed-order.ts";
import type { Claimed } from "../../../src/verdict/application/claims.ts";
import { judgeBooks, judgeSurplus } from "../../../src/verdict/orders/judge-books.ts";
import type { BooksOfOrder } from "../../../src/verdict/orders/order-evidence.ts";
import { explainBooks } from "../../../src/verdict/orders/unread-money.ts";
import { accepted, attempted, refused, reversed, settled } from "../../support/finding-events.ts";
import { airtime } from "../../support/gateway/world.ts";
import { evidenceOf, ORDER } from "../../support/order-evidence.ts";

const PAID = { claim: "paid", said: "paid" } as const;
const FAILED = { claim: "failed", said: "failed" } as const;
const OPEN = { claim: "open", said: "open" } as const;

const REQUEST = accepted("one", 0, { order: airtime(50, ORDER.phoneNumber) });
const SUCCESS = [REQUEST, settled("one", 1, { charge: cents(4_750) })];
const FAILURE = [REQUEST, settled("one", 1, { outcome: "failed", charge: NO_MONEY })];
const REFUSED = [refused("one", 0, { code: 402, order: airtime(50, ORDER.phoneNumber) })];
const REVERSED = [...SUCCESS, reversed("one", 2)];

/** An entry of so many shillings, or of what is no amount. */
function entry(shillings: number | null | undefined, requestId: string | undefined = "one"): BookedCharge {
  const amount = typeof shillings === "number" ? cents(Math.round(shillings * 100)) : shillings;
  return { requestId, amount, written: `{"amount":"${shillings}"}` };
}

const unnamed = (shillings: number): BookedCharge => ({ ...entry(shillings), requestId: undefined });

function orderWith(books: BooksOfOrder, events: readonly AccountEvent[], claimed: Claimed) {
  return evidenceOf(ORDER, events, { books, claimed });
}

/** What is told of an order that was alone. */
function judge(entries: readonly BookedCharge[], events: readonly AccountEvent[], claimed: Claimed = PAID, more = {}) {
  const books = { value: entries, isOfOne: true, ...more };
  return judgeBooks(orderWith(books, events, claimed), events).map(({ is, seen }) => `${is}: ${seen}`);
}

const LACKING = "defect: the books have no charge for it; the gateway charged KES 47.50";

test.each<[string, BookedCharge[], readonly AccountEvent[], Claimed, string[]]>([
  ["its charge", [entry(47.5)], SUCCESS, PAID, []],
  ["its charge in two parts", [entry(40), entry(7.5)], SUCCESS, PAID, []],
  ["its charge, a return, and its charge", [entry(47.5), entry(-47.5), entry(47.5)], SUCCESS, PAID, []],
  ["its charge twice", [entry(47.5), entry(47.5)], SUCCESS, PAID, ["defect: the books have its charge 2 times"]],
  [
    "a cent too little",
    [entry(47.49)],
    SUCCESS,
    PAID,
    ["defect: the books say KES 47.49; the gateway charged KES 47.50"],
  ],
  [
    "its charge and its return",
    [entry(47.5), entry(-47.5)],
    SUCCESS,
    PAID,
    ["defect: the books say KES 0.00 in 2 entries; the gateway charged KES 47.50"],
  ],
  ["nothing", [], SUCCESS, PAID, [LACKING]],
  ["nothing, while it is open", [], SUCCESS, OPEN, []],
  ["its charge and its return, while it is open", [entry(47.5), entry(-47.5)], SUCCESS, OPEN, []],
  ["what it is expected to cost, while it is open and nobody was told", [entry(50)], SUCCESS, OPEN, []],
  ["what it was expected to cost, while it is open and nobody was told that it failed", [entry(50)], FAILURE, OPEN, []],
  [
    "what it was expected to cost, though its charge was told",
    [entry(50)],
    [...SUCCESS, attempted("one", 2)],
    OPEN,
    ["defect: the books say KES 50.00; the gateway charged KES 47.50"],
  ],
  ["nothing for a failed one", [], FAILURE, FAILED, []],
  ["a charge and its return for a failed one", [entry(47.5), entry(-47.5)], FAILURE, FAILED, []],
  ["no amount yet for a failed one", [entry(null)], FAILURE, FAILED, []],
  [
    "a charge for a failed one",
    [entry(47.5)],
    FAILURE,
    FAILED,
    ["defect: the books say KES 47.50; the gateway charged KES 0.00"],
  ],
  [
    "a return alone for a failed one",
    [entry(-47.5)],
    FAILURE,
    FAILED,
    ["defect: the books say KES -47.50; the gateway charged KES 0.00"],
  ],
  [
    "a charge for a refused one",
    [entry(47.5)],
    REFUSED,
    FAILED,
    ["defect: the books say KES 47.50; the gateway charged KES 0.00"],
  ],
  ["nothing for a failed one that is shown as paid", [], FAILURE, PAID, []],
  ["nothing for a refused one", [], REFUSED, FAILED, []],
  ["what they like of one that is not settled", [entry(50)], [REQUEST], OPEN, []],
  ["a charge that came back", [entry(47.5)], REVERSED, PAID, []],
  ["neither a charge that came back nor its return", [], REVERSED, FAILED, []],
  [
    "no amount",
    [entry(undefined)],
    SUCCESS,
    PAID,
    ['not assessed: its entry in the books has no amount: {"amount":"undefined"}'],
  ],
  [
    "no amount yet, though paid",
    [entry(null)],
    SUCCESS,
    PAID,
    ['not assessed: its entry in the books has no amount: {"amount":"null"}'],
  ],
  [
    "an entry of nobody's",
    [entry(47.5), entry(2, "x")],
    SUCCESS,
    PAID,
    ["defect: the books have KES 2.00 under x, which belongs to no charge of the gateway"],
  ],
  ["an entry of nobody's and its return", [entry(47.5), entry(2, "x"), entry(-2, "x")], SUCCESS, PAID, []],
  [
    "an entry of nobody's without an amount",
    [entry(47.5), entry(undefined, "x")],
    SUCCESS,
    PAID,
    ['not assessed: an entry of the books has no amount: {"amount":"undefined"}'],
  ],
  ["its charge without a request_id", [unnamed(47.5)], SUCCESS, PAID, []],
  ["its charge, and its return without a request_id", [entry(47.5), unnamed(-47.5)], FAILURE, FAILED, []],
  [
    "more than its charge without a request_id",
    [entry(47.5), unnamed(5)],
    SUCCESS,
    PAID,
    [
      "defect: the books have KES 52.50 in 2 new entries, of which some have no request_id; the gateway charged KES 47.50",
    ],
  ],
  ["less than its charge without a request_id", [unnamed(5)], SUCCESS, OPEN, []],
])("books with %s", (_what, entries, events, claimed, problems) => {
  expect(judge(entries, events, claimed)).toEqual(problems);
});

test("books that were asked for and cannot be read are not assessed; those that nobody asked for say nothing", () => {
  const unread = orderWith({ missing: "answered 429", isUnread: true }, SUCCESS, PAID);
  const unasked = orderWith({ missing: "the app map has no books" }, SUCCESS, PAID);

  expect(judgeBooks(unread, SUCCESS)).toMatchObject([
    { is: "not assessed", id: "wrong-books", seen: "the books cannot be read: answered 429" },
  ]);
  expect(judgeBooks(unasked, SUCCESS)).toEqual([]);
});

test("a list that may end before a charge tells nothing of an order without one, and is asked about", () => {
  const [seen, ...others] = judge([], SUCCESS, PAID, { endsAt: 20 });

  expect(others).toEqual([]);
  expect(seen).toMatch(/^not assessed: .* no charge for it among their 20 entries.* say under books\.next/);
  expect(judge([entry(40)], SUCCESS, PAID, { endsAt: 20 })).toEqual([
    "defect: the books say KES 40.00; the gateway charged KES 47.50",
  ]);
  expect(judge([], FAILURE, FAILED, { endsAt: 20 })).toEqual([]);
  expect(judge([], FAILURE, FAILED, { endsAt: 20, isFull: true })).toEqual([seen]);
});

test("entries that may only look new accuse nobody", () => {
  expect(judge([entry(47.5), entry(10, "old")], SUCCESS, PAID, { hasLost: true })).toEqual([
    'not assessed: the books lost entries meanwhile, so that others may only look new: {"amount":"10"}',
  ]);
});

test("an entry of nobody's is told once of several orders, and one of another order not at all", () => {
  const second = accepted("two", 0, { order: airtime(50, "254712000002") });
  const events = [...SUCCESS, second, settled("two", 1, { charge: cents(4_750) })];
  const books = { value: [entry(47.5), entry(47.5, "two"), entry(2, "x")] };
  const orders = [ORDER, { ...ORDER, phoneNumber: "254712000002", reference: "kredo-2" }].map((order) =>
    evidenceOf(order, events, { books }),
  );

  expect(orders.flatMap((order) => judgeBooks(order, events))).toEqual([]);
  expect(judgeSurplus(orders, events)).toMatchObject({
    id: "wrong-books",
    seen: "the books have KES 2.00 under x, which belongs to no charge of the gateway",
  });
  expect(
    judgeSurplus(
      orders.map((order) => ({ ...order, books: { value: books.value.slice(0, 2) } })),
      events,
    ),
  ).toBe(undefined);
});

test.each<[string, BookedCharge[], number | undefined, RegExp]>([
  [
    "no amount in its entry",
    [entry(undefined)],
    undefined,
    /books\.amount finds no amount in its entry: \{.*like 59\.00\.$/,
  ],
  ["no amount yet", [entry(null)], undefined, /books\.amount finds no amount/],
  [
    "another id",
    [entry(47.5, "R-1")],
    1,
    /under the request_id one, but its new entry .* at books\.request_id, or none/,
  ],
  ["no id", [unnamed(47.5)], 1, /under the request_id one, but its new entry .* at books\.request_id, or none/],
  [
    "one entry more",
    [entry(47.5), entry(2, "fee")],
    2,
    /another entry, which belongs to no charge.*leave such entries out/,
  ],
  ["nothing new in a list of 20", [], 20, /no charge for it among their 20 entries.*say under books\.next/],
])("books that show %s of a plain order are asked about", (_what, entries, endsAt, words) => {
  const books = { value: entries, isOfOne: true, endsAt };

  expect(explainBooks(orderWith(books, SUCCESS, PAID))).toMatch(words);
});

test("books that show a plain order's charge, or nothing of it in an empty list, raise no question", () => {
  const right = { value: [entry(47.5)], isOfOne: true, endsAt: 1 };

  expect(explainBooks(orderWith(right, SUCCESS, PAID))).toBe(undefined);
  expect(explainBooks(orderWith({ value: [], isOfOne: true }, SUCCESS, PAID))).toBe(undefined);
  expect(explainBooks(orderWith({ value: [entry(2, "fee")], isOfOne: true }, FAILURE, FAILED))).toBe(undefined);
});
