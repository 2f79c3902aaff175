import { expect, test } from "vitest";
import { createSandbox } from "../../src/index.ts";
import { defectsIn, exploreAt, only } from "../support/explored.ts";
import { file, problems, rehearseTexts } from "../support/rehearse.ts";
import { type Bookkeeping, booksShop } from "./shops/books.ts";

const WITH_NEXT = "request_id: $.request_id, amount: $.amount, next: $.next";

/** Shows three entries, of which there are as many before the first order. */
const PAGED: Bookkeeping = { pageOf: 3, isKept: true };

test.concurrent.each<[string, Bookkeeping]>([
  ["book the price at once, and its return if the order fails", { isAtOnce: true }],
  ["are shown page by page", { ...PAGED, map: WITH_NEXT }],
  ["show their newest entries alone", { ...PAGED, pageOf: 10, isNewestFirst: true }],
])("books that %s are right", async (_what, keeping) => {
  const { exitCode, defects } = await explore(keeping, ["result-failed", "five-customers-at-once"]);

  expect({ exitCode, defects }).toEqual({ exitCode: 0, defects: [] });
});

test.concurrent.each<[string, Bookkeeping, string]>([
  ["whose amounts are no amounts", { write: (shillings) => `KES ${shillings}` }, "books.amount finds no amount"],
  ["of which the first page alone is read", PAGED, "say under books.next"],
])("books %s are asked about, in an exploration and in a rehearsal", async (_what, keeping, words) => {
  const explored = await explore(keeping, ["result-failed"]);
  const rehearsed = await rehearse(keeping, "happy-path");

  expect([explored.exitCode, rehearsed.exitCode]).toEqual([3, 3]);
  expect(explored.complained).toContain(words);
  expect(rehearsed.complained).toContain(words);
});

test.concurrent.each<[string, Bookkeeping, string]>([
  ["are limited after the baseline", { answers: 3 }, "the books cannot be read: answered 429"],
  ["show the first page of them alone", { ...PAGED, pageOf: 4 }, "say under books.next"],
])("books that %s leave what they do not show not assessed", async (_what, keeping, words) => {
  const { exitCode, defects, json } = await explore(keeping, ["callback-twice", "result-failed"]);

  const unread = json.trials.flatMap(({ verdicts }) => verdicts.filter(({ is }) => is === "not assessed"));
  expect({ exitCode, defects }).toEqual({ exitCode: 3, defects: [] });
  expect(unread[0]).toMatchObject({ id: "wrong-books", seen: expect.stringContaining(words) });
});

/** Misses a charge in a list that nothing tells from a page until the next order. */
const MISSING: Bookkeeping = { isKept: true, missesEarly: true };
const LACKS = "the books have no charge for it";

test.concurrent.each<[string, Bookkeeping, string, string]>([
  [
    "book a failed order under an id of their own",
    { failed: (shop) => shop.enter("manual-1", 5_000) },
    "result-failed",
    "the books have KES 50.00 under manual-1, which belongs to no charge of the gateway",
  ],
  [
    "book the price at once, and return more",
    { isAtOnce: true, failed: (shop, { requestId = "" }) => shop.enter(requestId, -100) },
    "result-failed",
    "the books say KES -1.00 in 3 entries; the gateway charged KES 0.00",
  ],
  ["miss a charge in a list that is never emptied", MISSING, "callback-before-ack", LACKS],
])("books that %s are a defect", async (_what, keeping, fault, words) => {
  const { exitCode, defects, json } = await explore(keeping, [fault]);

  expect({ exitCode, defects }).toEqual({ exitCode: 1, defects: ["wrong-books"] });
  expect(JSON.stringify(json.problems)).toContain(words);
});

test.concurrent("a rehearsal tells a charge that is missing from one on the next page by another order", async () => {
  const { trials, ...rehearsed } = await rehearse(MISSING, "callback-before-ack");

  expect({ exitCode: rehearsed.exitCode, problems: problems({ trials }) }).toEqual({
    exitCode: 1,
    problems: ["defect wrong-books"],
  });
  expect(trials[0]?.verdicts[0]?.seen).toContain(LACKS);
});

async function explore(keeping: Bookkeeping, faults: readonly string[]) {
  await using sandbox = await createSandbox();
  const { url: gateway, consumerKey: key, consumerSecret: secret } = sandbox;
  await using shop = await booksShop(keeping)({ gateway, key, secret });
  const explored = await exploreAt(sandbox, shop.appMap, ["--json", ...only(faults)]);
  return { ...explored, defects: defectsIn(explored.json).map(({ id }) => id) };
}

async function rehearse(keeping: Bookkeeping, scenario: string) {
  await using sandbox = await createSandbox();
  const { url, consumerKey: key, consumerSecret: secret } = sandbox;
  await using shop = await booksShop(keeping)({ gateway: url, key, secret });
  return await rehearseTexts([file(`scenario: ${scenario}\n`)], { map: shop.appMap, flags: ["--url", url] });
}
