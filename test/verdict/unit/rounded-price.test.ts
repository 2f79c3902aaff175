import { expect, test } from "vitest";
import { cents } from "../../../src/gateway/domain/kes.ts";
import type { Claimed } from "../../../src/verdict/application/claims.ts";
import { shareOf } from "../../../src/verdict/application/price.ts";
import { judgeOrder } from "../../../src/verdict/orders/judge-order.ts";
import { judgeTotal, shareTotal } from "../../../src/verdict/orders/judge-money.ts";
import type { OrderEvidence } from "../../../src/verdict/orders/order-evidence.ts";
import { evidenceOf, ORDER } from "../../support/order-evidence.ts";

/** An order of KES 61 that costs a percentage, and was delivered if the application says that it is paid. */
function priced(claim: Claimed["claim"], percent: number, debited = 0): OrderEvidence {
  const { truth, ...evidence } = evidenceOf(ORDER, []);
  const delivered = claim === "paid" ? [{ phoneNumber: ORDER.phoneNumber, amount: cents(6_100) }] : [];
  return {
    ...evidence,
    truth: { ...truth, accepted: 1, delivered, isNotified: true },
    claimed: { claim, said: claim },
    debited: { value: cents(debited) },
    ...shareOf(cents(6_100), percent * 100),
  };
}

/** All debits up to KES 122 that are no defect. */
function accepted(isWrong: (debited: number) => boolean): number[] {
  return Array.from({ length: 12_200 }, (_, debited) => debited).filter((debited) => !isWrong(debited));
}

test.each([
  ["paid", 97, [5_900, 5_917, 6_000]],
  ["paid", 97.5, [5_900, 5_947, 5_948, 6_000]],
  ["paid", 200, []],
  ["failed", 97, [0]],
] as const)(
  "an order that is %s at %d percent of KES 61 may cost these cents and no others: %j",
  (claim, percent, may) => {
    const isWrong = (debited: number): boolean =>
      judgeOrder(priced(claim, percent, debited), []).some(({ id }) => /debit|refund/.test(id));

    expect(accepted(isWrong)).toEqual(may);
  },
);

test.each([
  [["paid", "paid"], 97, [11_800, 11_834, 11_900, 12_000]],
  [["paid", "paid"], 97.5, [11_800, 11_894, 11_895, 11_896, 11_900, 12_000]],
  [["paid", "failed"], 97, [5_900, 5_917, 6_000]],
] as const)("orders on one balance that are %j at %d percent may cost these cents: %j", (claims, percent, may) => {
  const orders = claims.map((claim) => priced(claim, percent));

  expect(accepted((debited) => judgeTotal(orders, cents(debited)) !== undefined)).toEqual(may);
});

test("what a failed order cost is known among rounded prices", () => {
  const orders = [priced("paid", 97), priced("failed", 97)];

  expect(judgeTotal(orders, cents(12_000))?.id).toBe("not-refunded");
});

test("a total that rounding explains is attributed to the orders by their prices", () => {
  const shared = shareTotal([priced("paid", 97), priced("open", 97)], cents(11_900));

  expect(shared?.map(({ debited }) => debited)).toEqual([{ value: 5_917 }, { value: 5_917 }]);
});
