import { expect, test } from "vitest";
import type { Scenario } from "../../../src/gateway/scenario/schema.ts";
import { backedSandbox } from "../../support/backed-sandbox.ts";

const TOP_UP = { id: "order-1", kind: "airtime", phone_number: "254712345678", amount: "100" };

type Rule = NonNullable<Scenario["rules"]>[number];

/** A scenario of one rule. */
function always(then: Rule["then"], when: Rule["when"] = {}): Scenario {
  return { version: 1, name: "always", rules: [{ name: "it", when, then }] };
}

test("an order works where everything goes well", async () => {
  await using shop = await backedSandbox("naive");

  const placed = await shop.order(TOP_UP);
  await shop.sandbox.clock.advance("1m");

  expect(placed).toMatchObject({ status: 201, json: { status: "accepted" } });
  expect((await shop.get("/orders/order-1")).json).toMatchObject({ status: "paid", credited: 1 });
  expect((await shop.get("/books")).json).toMatchObject({ total: "95.00" });
});

test("an answer of 402 passes for an acceptance, because it has a request_id", async () => {
  await using shop = await backedSandbox("naive", always({ refuse: 402 }));

  const placed = await shop.order(TOP_UP);

  expect(placed.json).toMatchObject({ status: "accepted" });
});

test("an order whose acknowledgment does not come is sent three times more, and paid each time", async () => {
  await using shop = await backedSandbox("naive", always({ connection: "hang_after_accept" }), { limit: 400 });

  await shop.order(TOP_UP);
  await shop.sandbox.clock.advance("1m");

  expect(await shop.sandbox.wallet.read()).toMatchObject({ available: 9_620 });
});

test("each callback credits again", async () => {
  await using shop = await backedSandbox("naive", { name: "duplicate-callbacks" });

  await shop.order(TOP_UP);
  await shop.sandbox.clock.advance("1m");

  expect((await shop.get("/orders/order-1")).json).toMatchObject({ credited: 3 });
  expect((await shop.get("/books")).json).toMatchObject({ total: "285.00" });
});

test("the last callback wins", async () => {
  await using shop = await backedSandbox("naive", { name: "contradicting-callbacks" });

  await shop.order(TOP_UP);
  await shop.sandbox.clock.advance("1m");

  expect((await shop.get("/orders/order-1")).json).toMatchObject({ status: "failed", credited: 1 });
});

test.each([
  ["comes before the acknowledgment", { callback: { before_ack: true } }],
  ["names an order that nobody made", { callback: { unknown_id: true } }],
  ["is no JSON", { callback: { malformed: true } }],
])("it falls over a callback that %s", async (_, then) => {
  await using shop = await backedSandbox("naive", always(then));

  await shop.order(TOP_UP);
  await shop.sandbox.clock.advance("1m");

  const [transaction] = await shop.sandbox.transactions();
  const { attempts } = await shop.sandbox.transaction(transaction?.request_id ?? "");
  expect(attempts.map(({ answered }) => answered)).toEqual([500]);
  expect((await shop.get("/orders/order-1")).json).toMatchObject({ credited: 0 });
});

test("the same id is another order", async () => {
  await using shop = await backedSandbox("naive");

  await shop.order(TOP_UP);
  await shop.order(TOP_UP);

  expect(await shop.sandbox.requests.count({ operation: "airtime" })).toBe(2);
});
