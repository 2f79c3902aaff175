import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { judgeOrder } from "../../../src/verdict/orders/judge-order.ts";
import { judgeTotal } from "../../../src/verdict/orders/judge-money.ts";
import { jointDefect, type OrderBesideOthers } from "../../../src/verdict/orders/joint-defect.ts";
import type { OrderEvidence } from "../../../src/verdict/orders/order-evidence.ts";
import { accepted, attempted, cut, refused, settled } from "../../support/finding-events.ts";
import { airtime } from "../../support/gateway/world.ts";
import { evidenceOf, ORDER } from "../../support/order-evidence.ts";

const LAST_DIGIT = { a: "1", b: "2", c: "3", d: "4" } as const;
type Id = keyof typeof LAST_DIGIT;

/** An order of KES 100 of which the gateway got these requests, and the application says this. */
function order(
  id: Id,
  claim: "paid" | "failed" | "open",
  events: AccountEvent[],
  changes: Partial<OrderEvidence> = {},
) {
  const placed = { ...ORDER, phoneNumber: `25471200000${LAST_DIGIT[id]}` };
  const own = events.map((event) =>
    "order" in event && event.order !== undefined ? { ...event, order: airtime(50, placed.phoneNumber) } : event,
  );
  const evidence = evidenceOf(placed, own, { claimed: { claim, said: claim }, price: cents(10_000), ...changes });
  const defect = judgeOrder(evidence, own).find(({ is }) => is === "defect");
  return { order: evidence, defect };
}

const sent = (id: Id) => accepted(id, 0, { order: airtime(50) });
const DELIVERED = (id: Id): AccountEvent[] => [sent(id), settled(id, 1), attempted(id, 2)];
const FAILED = (id: Id): AccountEvent[] => [sent(id), settled(id, 1, { outcome: "failed" }), attempted(id, 2)];
const UNTOLD = (id: Id): AccountEvent[] => [sent(id), settled(id, 1)];
const LOST = (id: Id): AccountEvent[] => [cut(id, 0, { order: airtime(50) })];
const REFUSED = (id: Id): AccountEvent[] => [refused(id, 0, { code: 402, order: airtime(50) })];

const RIGHT = order("a", "paid", DELIVERED("a"));
const FORGOTTEN = order("b", "open", FAILED("b"));
const debited = (shillings: number) => ({ debited: { value: cents(shillings * 100) } });

test.each<[string, OrderBesideOthers[], string | undefined]>([
  ["right", [RIGHT, order("b", "failed", FAILED("b"))], undefined],
  [
    "given each other's results",
    [order("a", "failed", DELIVERED("a")), order("b", "paid", FAILED("b"))],
    "mixed-up-orders",
  ],
  [
    "given the first result alike, the second forgotten",
    [order("a", "failed", DELIVERED("a")), FORGOTTEN],
    "mixed-up-orders",
  ],
  ["right, and forgotten beside that", [RIGHT, FORGOTTEN], "mixed-up-orders"],
  [
    "right, and forgotten beside that before a restart",
    [RIGHT, order("b", "open", FAILED("b"), { wasToldBeforeRestart: true })],
    "mixed-up-orders",
  ],
  ["right, and refused but shown as paid", [RIGHT, order("b", "paid", REFUSED("b"))], "mixed-up-orders"],
  ["right, and shown as paid without an answer", [RIGHT, order("b", "paid", LOST("b"))], "mixed-up-orders"],
  ["shown as failed in silence", [order("a", "failed", UNTOLD("a")), RIGHT], undefined],
  ["right, and shown as paid though the gateway got no request", [RIGHT, order("b", "paid", [])], undefined],
  ["forgotten beside one that no callback told", [FORGOTTEN, order("a", "open", UNTOLD("a"))], undefined],
  ["forgotten with no other", [FORGOTTEN], undefined],
  ["right, and sold twice", [RIGHT, order("b", "paid", [...DELIVERED("b"), ...DELIVERED("c")])], undefined],
  ["right, and debited twice", [RIGHT, order("b", "paid", DELIVERED("b"), debited(200))], "balance-race"],
  ["right, and not refunded", [RIGHT, order("b", "failed", FAILED("b"), debited(100))], "balance-race"],
])("orders that are right alone and together %s", (_what, orders, id) => {
  expect(jointDefect(orders)?.id).toBe(id);
});

const KEPT = order("a", "open", DELIVERED("a"), { isPaidFirst: true });

test.each<[string, OrderBesideOthers[], number]>([
  ["debited too little", [RIGHT, order("b", "paid", DELIVERED("b"))], 100],
  ["not refunded in sum", [RIGHT, order("b", "failed", FAILED("b"), { price: cents(3_000) })], 130],
  ["given back in sum", [KEPT, KEPT].map(({ order: one }) => ({ order: one })), 100],
])("a wrong sum of orders that are right alone is a race: %s", (_what, orders, sum) => {
  const imbalance = judgeTotal(
    orders.map((one) => one.order),
    cents(sum * 100),
  );

  expect(imbalance).toBeDefined();
  expect(jointDefect(orders, imbalance)?.id).toBe("balance-race");
});

test("a wrong sum follows from an order that ended wrong", () => {
  const orders = [order("a", "failed", DELIVERED("a")), RIGHT];
  const imbalance = judgeTotal([RIGHT.order, RIGHT.order], cents(5_000));

  expect(jointDefect(orders, imbalance)?.id).toBe("mixed-up-orders");
});

test("what is told of orders together names each other order that went wrong, and the exchanges of all of them", () => {
  const joint = jointDefect([FORGOTTEN, order("a", "failed", DELIVERED("a")), order("c", "paid", DELIVERED("c"))]);

  expect(joint).toMatchObject({
    id: "mixed-up-orders",
    title: "is right about each order alone, and wrong about one beside others",
    follows: [{ id: "outcome-lost", seen: expect.stringMatching(/^254712000002: the gateway got 1 request/) }],
  });
  expect(joint?.exchanges.map(({ kind, request_id }) => `${kind} ${request_id}`)).toEqual([
    "request b",
    "callback b",
    "request a",
    "callback a",
  ]);
});
