import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { judgeTotal, shareTotal } from "../../../src/verdict/orders/judge-money.ts";
import type { OrderEvidence } from "../../../src/verdict/orders/order-evidence.ts";
import { accepted, cut, refused, settled } from "../../support/finding-events.ts";
import { airtime } from "../../support/gateway/world.ts";
import { evidenceOf, ORDER } from "../../support/order-evidence.ts";

const SENT = { order: airtime(50, ORDER.phoneNumber) };
const LOST: AccountEvent[] = [cut("lost", 0, SENT)];
const DELIVERED: AccountEvent[] = [accepted("one", 0, SENT), settled("one", 1)];
const REFUSED: AccountEvent[] = [refused("two", 0, { code: 402, ...SENT })];

/** An order that costs KES 100, of which the application says this. */
function order(claim: "paid" | "failed" | "open", events: AccountEvent[], changes: Partial<OrderEvidence> = {}) {
  return evidenceOf(ORDER, events, { claimed: { claim, said: claim }, price: cents(10_000), ...changes });
}

const PAID = order("paid", DELIVERED);
const FAILED = order("failed", REFUSED);
const OPEN = order("open", DELIVERED, { isPaidFirst: true });
const MISLED = order("open", [misled("one"), settled("one", 1)], { isPaidFirst: true });

/** An order that was accepted and answered as if it had been refused. */
function misled(requestId: string): AccountEvent {
  const ack = { delay: 0, status: 429, body: '{"status_code": 429}' };
  return accepted(requestId, 0, { ...SENT, rules: { fired: [], counters: [], ack } });
}

test.each<[string, OrderEvidence[], number, string | undefined]>([
  ["the price of both", [PAID, PAID], 20_000, undefined],
  ["the price of the paid one", [PAID, FAILED], 10_000, undefined],
  ["the price of one of two", [PAID, PAID], 10_000, "wrong-debit"],
  ["the price of a failed one, too", [PAID, order("failed", REFUSED, { price: cents(3_000) })], 13_000, "not-refunded"],
  ["too little", [PAID, FAILED], 0, "wrong-debit"],
  ["too much", [PAID, FAILED], 30_000, "wrong-debit"],
  ["anything, while one is open", [PAID, order("open", LOST)], 30_000, undefined],
  ["the price of both that are open and delivered", [OPEN, OPEN], 20_000, undefined],
  ["the price of one of two that are open and delivered", [OPEN, OPEN], 10_000, "delivered-given-back"],
  ["the price of one, beside one that the gateway answered with a refusal", [OPEN, MISLED], 10_000, undefined],
  ["the price of one that was delivered and is shown as failed", [PAID, order("failed", DELIVERED)], 20_000, undefined],
  ["nothing for one that was not delivered and is shown as paid", [order("paid", REFUSED), PAID], 10_000, undefined],
  [
    "too much, beside one that was delivered and is shown as failed",
    [order("failed", DELIVERED)],
    30_000,
    "wrong-debit",
  ],
  ["anything for no order", [], 30_000, undefined],
])("orders on one balance that took %s", (_what, orders, debited, id) => {
  expect(judgeTotal(orders, cents(debited))?.id).toBe(id);
});

test("names the orders on one balance, and what proves it", () => {
  const verdict = judgeTotal([PAID, FAILED], cents(5_000));

  expect(verdict?.seen).toBe(
    `the customer was debited KES 50.00 instead of 100.00 for 2 orders on one balance: ${ORDER.phoneNumber} "paid", ${ORDER.phoneNumber} "failed"`,
  );
  expect(verdict?.exchanges).toEqual([
    { kind: "request", request_id: "one" },
    { kind: "request", request_id: "two" },
  ]);
  expect(verdict?.truths).toBeUndefined();
});

test("a total that is just that of the paid and open orders tells what each was debited", () => {
  const orders = [PAID, FAILED, order("open", LOST)];

  const debits = (total: number) => shareTotal(orders, cents(total))?.map(({ debited }) => debited);

  expect(debits(20_000)).toEqual([{ value: 10_000 }, { value: 0 }, { value: 10_000 }]);
  expect(debits(10_000)).toEqual([{ value: 10_000 }, { value: 0 }, { value: 0 }]);
  expect(debits(15_000)).toBeUndefined();
});
