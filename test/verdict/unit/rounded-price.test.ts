import { expect, test } from "vitest";
import { cents } from "../../../src/gateway/domain/kes.ts";
import type { Claimed } from "../../../src/verdict/application/application.ts";
import { judgeOrder, judgeTotal, shareTotal } from "../../../src/verdict/orders/judge-order.ts";
import type { OrderEvidence } from "../../../src/verdict/orders/order-evidence.ts";
import { evidenceOf, ORDER } from "../../support/order-evidence.ts";

/** An order that costs KES 100 by a percentage, and was delivered if the application says that it is paid. */
function priced(claim: Claimed["claim"], debited: number): OrderEvidence {
  const { truth, ...evidence } = evidenceOf(ORDER, []);
  const delivered = claim === "paid" ? [{ phoneNumber: ORDER.phoneNumber, amount: cents(10_000) }] : [];
  return {
    ...evidence,
    truth: { ...truth, accepted: 1, delivered, isNotified: true },
    claimed: { claim, said: claim },
    debited: { value: cents(debited) },
    price: cents(10_000),
    rounding: cents(99),
  };
}

test.each([
  ["paid", 9_901, undefined],
  ["paid", 10_099, undefined],
  ["paid", 9_900, "wrong-debit"],
  ["paid", 10_100, "wrong-debit"],
  ["failed", 0, undefined],
  ["failed", 1, "not-refunded"],
] as const)("an order that is %s may take %i cents: %s", (claim, debited, id) => {
  const found = judgeOrder(priced(claim, debited), []).find((verdict) => /debit|refund/.test(verdict.id));

  expect(found?.id).toBe(id);
});

test.each([
  [["paid", "paid"], 20_198, undefined],
  [["paid", "paid"], 20_199, "wrong-debit"],
  [["paid", "failed"], 10_099, undefined],
  [["paid", "failed"], 10_100, "wrong-debit"],
  [["paid", "failed"], 20_198, "not-refunded"],
] as const)("orders on one balance that are %j may take %i cents: %s", (claims, debited, id) => {
  const orders = claims.map((claim) => priced(claim, 0));

  expect(judgeTotal(orders, cents(debited))?.id).toBe(id);
});

test("a total that rounding explains is attributed to the orders by their prices", () => {
  const shared = shareTotal([priced("paid", 0), priced("open", 0)], cents(20_050));

  expect(shared.map(({ debited }) => debited)).toEqual([{ value: 10_000 }, { value: 10_000 }]);
});
