import { expect, test } from "vitest";
import { createSandbox } from "../../src/index.ts";
import { defectsIn, exploreAt, only } from "../support/explored.ts";
import { type Bookkeeping, booksShop } from "./shops/books.ts";

const ENTRY = "request_id: $.request_id, amount: $.amount";

/** Shows its oldest entries on the first page, which is full when an order comes. */
const PAGED: Bookkeeping = { pageOf: 3, isKept: true };

test.concurrent.each<[string, Bookkeeping]>([
  ["book the price at once, and its return if the order fails", { isAtOnce: true }],
  ["are shown page by page", { ...PAGED, map: `${ENTRY}, next: $.next` }],
])("books that %s are right", async (_what, keeping) => {
  const { exitCode, defects } = await explore(keeping);

  expect({ exitCode, defects }).toEqual({ exitCode: 0, defects: [] });
});

test.concurrent.each<[string, Bookkeeping, string]>([
  ["whose amounts are no amounts", { write: (shillings) => `KES ${shillings}` }, '"amount":"KES '],
  ["whose amount is not where the map says", { map: "request_id: $.request_id, amount: $.amuont" }, "finds no amount"],
  ["whose request_id is not where the map says", { map: "request_id: $.id, amount: $.amount" }, "books.request_id"],
  ["of which the first page alone is read", PAGED, "say under books.next"],
  ["that have a fee of their own for each order", { fee: 200 }, "which belongs to no charge of the gateway"],
  ["whose pages go round", { ...PAGED, map: `${ENTRY}, next: $.first` }, "was read before"],
])("books %s are asked about", async (_what, keeping, words) => {
  const { exitCode, complained } = await explore(keeping);

  expect(complained).toContain(words);
  expect(exitCode).toBe(3);
});

test.concurrent.each<[string, Bookkeeping]>([
  ["are limited after the baseline", { answers: 6 }],
  ["show the first page of them alone", { ...PAGED, pageOf: 5 }],
])("what books do not show that %s is not assessed", async (_what, keeping) => {
  const { exitCode, defects, unread } = await explore(keeping);

  expect({ exitCode, defects }).toEqual({ exitCode: 3, defects: [] });
  expect(unread).toBeGreaterThan(0);
});

test.concurrent.each<[string, Bookkeeping, string]>([
  [
    "book a failed order under an id of their own",
    { failed: (shop) => shop.enter("manual-1", 5_000) },
    "the books have KES 50.00 under manual-1, which belongs to no charge of the gateway",
  ],
  [
    "book the price at once, and return it twice",
    { isAtOnce: true, failed: (shop, { requestId = "" }) => shop.enter(requestId, -100) },
    "in 3 entries; the gateway charged KES 0.00",
  ],
  [
    "miss a charge in a list that is never emptied",
    { isKept: true, missesEarly: true },
    "the books have no charge for it",
  ],
])("books that %s are a defect", async (_what, keeping, words) => {
  const { exitCode, defects, json } = await explore(keeping);

  expect({ exitCode, defects }).toEqual({ exitCode: 1, defects: ["wrong-books"] });
  expect(JSON.stringify(json.problems)).toContain(words);
});

async function explore(keeping: Bookkeeping) {
  await using sandbox = await createSandbox();
  const { url: gateway, consumerKey: key, consumerSecret: secret } = sandbox;
  await using shop = await booksShop(keeping)({ gateway, key, secret });
  const faults = ["result-failed", "callback-before-ack", "five-customers-at-once"];
  const { json, ...explored } = await exploreAt(sandbox, shop.appMap, ["--json", ...only(faults)]);
  const verdicts = json.trials.flatMap((trial) => trial.verdicts);
  return {
    ...explored,
    json,
    defects: defectsIn(json).map(({ id }) => id),
    unread: verdicts.filter(({ is, id }) => is === "not assessed" && id === "wrong-books").length,
  };
}
