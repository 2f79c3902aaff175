import { expect, test, vi } from "vitest";
import type { Scenario } from "../../../src/gateway/scenario/schema.ts";
import { backedSandbox } from "../../support/backed-sandbox.ts";

const TOP_UP = { id: "order-1", kind: "airtime", phone_number: "254712345678", amount: "100" };
const MESSAGE = { id: "order-2", kind: "sms", phone_number: "254712345678", message: "Karibu" };

type Rule = NonNullable<Scenario["rules"]>[number];

/** A scenario of one rule. */
function always(then: Rule["then"], when: Rule["when"] = {}): Scenario {
  return { version: 1, name: "always", rules: [{ name: "it", when, then }] };
}

test("an order is accepted, paid by the carrier's report and credited once", async () => {
  await using shop = await backedSandbox("sound");

  const placed = await shop.order(TOP_UP);
  await shop.sandbox.clock.advance("1m");

  expect(placed).toMatchObject({ status: 201, json: { id: "order-1", status: "accepted", credited: 0 } });
  expect((await shop.get("/orders/order-1")).json).toMatchObject({
    status: "paid",
    cents: 9_500,
    credited: 1,
    contradicted: false,
  });
});

test("the same id is the same order, and another order under it is a conflict", async () => {
  await using shop = await backedSandbox("sound");

  const answers = [await shop.order(TOP_UP), await shop.order(TOP_UP), await shop.order({ ...TOP_UP, amount: "200" })];

  expect(answers.map(({ status }) => status)).toEqual([201, 200, 409]);
  expect(await shop.sandbox.requests.count({ operation: "airtime" })).toBe(1);
});

test("numbers and amounts are brought into the gateway's form, and a message into the cheaper spelling", async () => {
  await using shop = await backedSandbox("sound");

  await shop.order({ ...TOP_UP, phone_number: "0712 345 678", amount: 100 });
  await shop.order({ ...MESSAGE, phone_number: "+254712345678", message: "Usisahau ‘leo’ – asante…" });

  expect(await shop.sandbox.requests.count({ phone_number: "254712345678", amount: "100", status_code: 200 })).toBe(1);
  expect(await shop.sandbox.requests.count({ message: "Usisahau 'leo' - asante...", status_code: 200 })).toBe(1);
});

test("an order whose acknowledgment was lost is unknown and not sent again, and the report finds its owner", async () => {
  await using shop = await backedSandbox("sound", { name: "ack-lost-after-accept" });

  const placed = await shop.order(TOP_UP);
  await shop.sandbox.clock.advance("1m");

  expect(placed.json).toMatchObject({ status: "unknown" });
  expect((await shop.get("/orders/order-1")).json).toMatchObject({ status: "paid", credited: 1 });
  expect(await shop.sandbox.requests.count({ operation: "airtime" })).toBe(1);
});

test("an acknowledgment that does not come in time leaves the order unknown", async () => {
  await using shop = await backedSandbox("sound", always({ connection: "hang_after_accept" }), { limit: 400 });

  const placed = await shop.order(TOP_UP);

  expect(placed.json).toMatchObject({ status: "unknown" });
});

test("two lost orders that a report fits alike are left to a person", async () => {
  await using shop = await backedSandbox("sound", always({ connection: "reset_after_accept" }));

  await shop.order(TOP_UP);
  await shop.order({ ...TOP_UP, id: "order-3" });
  await shop.sandbox.clock.advance("1m");

  expect((await shop.get("/orders/order-1")).json).toMatchObject({ status: "unknown", credited: 0 });
  expect((await shop.get("/orders/order-3")).json).toMatchObject({ status: "unknown", credited: 0 });
});

test("a report before the acknowledgment is kept and booked when the acknowledgment comes", async () => {
  await using shop = await backedSandbox("sound", { name: "callback-before-ack" });

  const placed = await shop.order(TOP_UP);

  expect(placed.json).toMatchObject({ status: "paid", credited: 1 });
});

test("a report that comes three times credits once", async () => {
  await using shop = await backedSandbox("sound", { name: "duplicate-callbacks" });

  await shop.order(TOP_UP);
  const fired = await shop.sandbox.clock.advance("1m");

  expect(fired.map(({ answered }) => answered)).toEqual([200, 200, 200]);
  expect((await shop.get("/orders/order-1")).json).toMatchObject({ credited: 1, contradicted: false });
  expect((await shop.get("/books.csv")).text).toMatch(/^request_id,order,charge\r\n[0-9a-f-]{36},order-1,95\.00\r\n$/);
});

test("the first report wins, and the one that contradicts it is flagged", async () => {
  await using shop = await backedSandbox("sound", { name: "contradicting-callbacks" });

  await shop.order(TOP_UP);
  await shop.sandbox.clock.advance("1m");

  expect((await shop.get("/orders/order-1")).json).toMatchObject({ status: "paid", credited: 1, contradicted: true });
});

test("a report about an order that nobody made is acknowledged and credits nobody", async () => {
  await using shop = await backedSandbox("sound", always({ callback: { unknown_id: true } }));

  await shop.order(TOP_UP);
  const fired = await shop.sandbox.clock.advance("1m");

  expect(fired.map(({ answered }) => answered)).toEqual([200]);
  expect((await shop.get("/orders/order-1")).json).toMatchObject({ status: "accepted", credited: 0 });
  expect((await shop.get("/strays")).json).toMatchObject({ reports: [{ charge: 95 }], unreadable: [] });
});

test("what cannot be read is kept and answered with 400, what has another content type is read", async () => {
  await using shop = await backedSandbox("sound", { name: "malformed-callback" });

  await shop.order({ ...TOP_UP, id: "order-a" });
  await shop.order({ ...TOP_UP, id: "order-b", amount: "50" });
  await shop.order({ ...MESSAGE, id: "order-c" });
  await shop.order({ ...MESSAGE, id: "order-d" });
  const fired = await shop.sandbox.clock.advance("1m");

  expect(fired.filter(({ answered }) => answered === 200)).toHaveLength(3);
  expect(fired.filter(({ answered }) => answered === 400)).toHaveLength(1);
  expect((await shop.get("/orders/order-b")).json).toMatchObject({ status: "accepted", credited: 0 });
  expect((await shop.get("/orders/order-d")).json).toMatchObject({ status: "paid", credited: 1 });
});

test("a hook without its token is closed", async () => {
  await using shop = await backedSandbox("sound");

  const answer = await shop.post("/hooks/airtime?token=guessed", "{}");

  expect(answer.status).toBe(403);
});

test("402 stops the queue until a balance check shows money", async () => {
  await using shop = await backedSandbox("sound", { name: "wallet-runs-dry" }, { balanceEvery: 20 });

  await shop.order({ ...TOP_UP, id: "order-a" });
  await shop.order({ ...TOP_UP, id: "order-b" });
  const third = await shop.order({ ...TOP_UP, id: "order-c" });
  const fourth = await shop.order({ ...TOP_UP, id: "order-d", amount: "50" });
  const sentWhileEmpty = await shop.sandbox.requests.count({ operation: "airtime" });
  await shop.sandbox.wallet.topUp("500");

  expect({ third: third.json.status, fourth: fourth.json.status, sentWhileEmpty }).toEqual({
    third: "queued",
    fourth: "queued",
    sentWhileEmpty: 3,
  });
  await shop.sandbox.requests.verify({ operation: "airtime", status_code: 200 }, 4, "5s");
});

test("401 stops the queue until a person has mended it", async () => {
  await using shop = await backedSandbox("sound", always({ refuse: 401 }));

  await shop.order(TOP_UP);
  const second = await shop.order(MESSAGE);

  expect(second.json).toMatchObject({ status: "queued" });
  expect((await shop.get("/health")).json).toEqual({ status: "up", halted: "wrong credentials" });
  expect(await shop.sandbox.requests.count()).toBe(1);
});

test("what was stopped is sent in its order when somebody resumes it", async () => {
  await using shop = await backedSandbox("sound", always({ refuse: 401 }, { first: 1 }));
  await shop.order(TOP_UP);
  await shop.order(MESSAGE);

  await shop.post("/resume", "");

  await shop.sandbox.requests.verify({ status_code: 200 }, 2, "5s");
  const sent = await shop.sandbox.requests.list();
  expect(sent.map(({ operation }) => operation)).toEqual(["sms", "airtime", "airtime"]);
});

test.each([429, 500])("an order that is refused twice with %i is sent again and goes through", async (code) => {
  await using shop = await backedSandbox("sound", always({ refuse: code }, { first: 2 }), { backOff: 1 });

  const placed = await shop.order(TOP_UP);

  expect(placed.json).toMatchObject({ status: "queued" });
  await shop.sandbox.requests.verify({ operation: "airtime", status_code: 200 }, 1, "5s");
  expect(await shop.sandbox.requests.count({ operation: "airtime" })).toBe(3);
});

test("an order that is refused for good fails at once, and one that is refused each time fails in the end", async () => {
  await using shop = await backedSandbox("sound", always({ refuse: 500 }, { amount: { eq: 50 } }), { backOff: 1 });

  const mistaken = await shop.order({ ...TOP_UP, id: "order-a", phone_number: "1" });
  await shop.order({ ...TOP_UP, id: "order-b", amount: "50" });

  expect(mistaken.json).toMatchObject({ status: "failed" });
  await vi.waitFor(async () => expect((await shop.get("/orders/order-b")).json).toMatchObject({ status: "failed" }));
  expect(await shop.sandbox.requests.count({ amount: "50" })).toBe(6);
});

test("the balance is asked for once, however often it is looked at", async () => {
  await using shop = await backedSandbox("sound");

  await shop.get("/balance");
  const balance = await shop.get("/balance");

  expect(balance.json).toEqual({ available: "10000.00" });
  expect(await shop.sandbox.requests.count({ operation: "account-details" })).toBe(1);
});

test("an order that makes no sense is refused", async () => {
  await using shop = await backedSandbox("sound");

  const answer = await shop.order({ kind: "airtime" });

  expect(answer.status).toBe(400);
});
