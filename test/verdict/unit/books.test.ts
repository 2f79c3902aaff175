import { expect, test } from "vitest";
import type { HttpReply } from "../../../src/control/client/http-exchange.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { parseAppMap } from "../../../src/verdict/application/app-map.ts";
import { readBooks, type ShownBooks } from "../../../src/verdict/application/money.ts";
import { Books } from "../../../src/verdict/trial/books.ts";
import { accepted, settled } from "../../support/finding-events.ts";
import { airtime } from "../../support/gateway/world.ts";
import { evidenceOf, ORDER } from "../../support/order-evidence.ts";

const PAGED = mapOf("next: $.next");
const HOST = "http://shop";
const UNASKED: ShownBooks = { missing: "it was not asked" };

function mapOf(more: string) {
  const parsed = parseAppMap(
    `version: 1
application: http://shop
order: { airtime: { request: { url: "{app}/orders" } } }
books: { request: { url: "{app}/charges" }, list: "$.charges[*]", request_id: $.id, amount: $.amount, ${more} }
`,
    "kredo.app.yaml",
  );
  if ("problems" in parsed) throw new Error(JSON.stringify(parsed.problems));
  const { books } = parsed.map;
  if (books === undefined) throw new Error("the map has books");
  return { ...parsed.map, books };
}

function answer(json: unknown, status = 200): HttpReply {
  return { kind: "answered", status, text: typeof json === "string" ? json : JSON.stringify(json) };
}

/** Reads books whose pages are these, by path. */
async function read(pages: Readonly<Record<string, HttpReply>>, map = PAGED) {
  const asked: string[] = [];
  const { books } = map;
  const shown = await readBooks(books, `${HOST}/charges`, async (page = `${HOST}/charges`) => {
    asked.push(page.slice(HOST.length));
    return pages[page.slice(HOST.length)] ?? answer({}, 404);
  });
  return { shown, asked };
}

test.each<[string, HttpReply, string]>([
  ["answered 429", answer({ error: "slow down" }, 429), 'answered 429: {"error":"slow down"}'],
  ["answered 500", answer("", 500), "answered 500"],
  ["no JSON", answer("<html>"), "the answer is not JSON: <html>"],
  ["no list", answer({ error: "no" }), 'the answer has no list for $.charges[*]: {"error":"no"}'],
])("books that are %s cannot be read", async (_what, reply, missing) => {
  const { shown } = await read({ "/charges": reply });

  expect(shown).toEqual({ missing, isUnread: true });
});

test.each([
  ["an empty list", { charges: [] }],
  ["null for one", { charges: null }],
])("books that are %s are read, and have no entry", async (_what, json) => {
  expect((await read({ "/charges": answer(json) })).shown).toEqual({ value: [] });
});

test.each<[string, string | null | undefined]>([
  ["null", null],
  ["nothing", undefined],
])("books are read page by page, until %s stands in place of a next one", async (_what, end) => {
  const { shown, asked } = await read({
    "/charges": answer({ charges: [{ id: "a", amount: 1 }], next: `${HOST}/charges?page=2` }),
    "/charges?page=2": answer({ charges: [{ id: "b", amount: "2.50" }], next: "?page=3" }),
    "/charges?page=3": answer({ charges: [], next: end }),
  });

  expect(asked).toEqual(["/charges", "/charges?page=2", "/charges?page=3"]);
  expect(shown).toMatchObject({
    value: [
      { requestId: "a", amount: 100 },
      { requestId: "b", amount: 250 },
    ],
  });
});

test.each<[string, string, string]>([
  ["go round", "/charges", "the page http://shop/charges was read before"],
  [
    "lead elsewhere",
    "http://other/charges",
    "the next page is http://other/charges, which is no URL of the application",
  ],
  ["cannot be read", "/gone", "answered 404: {}"],
])("pages that %s leave the books unread", async (_what, next, missing) => {
  const { shown } = await read({ "/charges": answer({ charges: [], next }) });

  expect(shown).toEqual({ missing, isUnread: true });
});

test("of pages without end, a hundred are read", async () => {
  const { books } = PAGED;
  let asked = 0;

  const shown = await readBooks(books, HOST, async () =>
    answer({ charges: [], next: `/charges?page=${(asked += 1)}` }),
  );

  expect(shown).toEqual({ missing: "there are more than 100 pages", isUnread: true });
  expect(asked).toBe(100);
});

const PLACED = { ...ORDER, reply: answer({}) };

/** Books that show these lists, one for each question; each entry is an id of KES 47.50. */
function showing(lists: readonly (readonly string[])[], more = "") {
  const left = [...lists];
  const books = async (): Promise<ShownBooks> => {
    const ids = left.shift() ?? [];
    return { value: ids.map((requestId) => ({ requestId, amount: cents(4_750), written: requestId })) };
  };
  return new Books({ map: mapOf(more), books, hasBooksOfEach: false }, { isUnasked: () => false });
}

/** What the books show of a paid order with this request. */
async function showOf(books: Books, requestId: string) {
  const events = [
    accepted(requestId, 0, { order: airtime(50, ORDER.phoneNumber) }),
    settled(requestId, 1, { charge: cents(4_750) }),
  ];
  await books.begin([PLACED]);
  const [shown = UNASKED] = await books.show([PLACED], events);
  books.note([evidenceOf(ORDER, events, { books: shown })], events);
  return "value" in shown ? { ...shown, value: shown.value.map((entry) => entry.requestId) } : shown;
}

test("what is new in the books since an order is told from what was there, and from late entries of the order before", async () => {
  const books = showing([["old"], ["old"], ["old"], ["old", "one", "two", "x"]]);

  await showOf(books, "one");

  expect(await showOf(books, "two")).toMatchObject({ value: ["two", "x"], hasLost: false, isOfOne: true });
});

test("an entry that looks like one of before is another", async () => {
  expect(await showOf(showing([["one"], ["one", "one"]]), "one")).toMatchObject({ value: ["one"] });
});

test("books that lost an entry say so", async () => {
  expect(await showOf(showing([["old"], ["older", "one"]]), "one")).toMatchObject({
    value: ["older", "one"],
    hasLost: true,
  });
});

test("a list that never was longer may end before a charge, until it has grown over that length or shows its pages", async () => {
  const standing = showing([
    ["a", "b"],
    ["a", "b"],
    ["a", "b"],
    ["a", "b"],
  ]);
  const growing = showing([["a"], ["a"], ["a"], ["a", "two"]]);
  const whole = showing([["a"], ["a"]], "next: $.next");
  const empty = showing([[], []]);

  expect(await showOf(standing, "one")).toMatchObject({ value: [], endsAt: 2 });
  expect(await showOf(standing, "two")).toMatchObject({ value: [], endsAt: 2, isFull: true });
  expect(await showOf(growing, "one")).toMatchObject({ value: [], endsAt: 1 });
  expect(await showOf(growing, "two")).toMatchObject({ value: ["two"], endsAt: undefined });
  expect(growing.isWhole).toBe(true);
  expect(await showOf(whole, "one")).toMatchObject({ value: [], endsAt: undefined });
  expect(await showOf(empty, "one")).toMatchObject({ value: [], endsAt: undefined });
});

test("a list that could not be read before an order tells nothing of it", async () => {
  const shown: ShownBooks[] = [{ missing: "answered 429", isUnread: true }, { value: [] }];
  const books = new Books(
    { map: mapOf(""), books: async () => shown.shift() ?? UNASKED, hasBooksOfEach: false },
    { isUnasked: () => false },
  );

  expect(await showOf(books, "one")).toEqual({ missing: "before the order, answered 429", isUnread: true });
});
