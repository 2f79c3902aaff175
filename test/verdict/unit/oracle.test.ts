import { expect, test } from "vitest";
import {
  type Claim,
  isDefect,
  judgeOrder,
  type OrderFacts,
  type OrderVerdict,
} from "../../../src/verdict/orders/oracle.ts";

const ONE: OrderFacts = { asked: 1, delivered: 1, neverSettles: false, couldKnow: true, claim: "paid" };
const NONE: OrderFacts = { ...ONE, delivered: 0 };

test.each<[Claim]>([["paid"], ["failed"], ["open"], ["no answer"], ["not asked"]])(
  "an order that was delivered twice is sold twice, whatever the application says: %s",
  (claim) => {
    expect(judgeOrder({ ...ONE, delivered: 2, claim })).toBe("sold twice");
    expect(judgeOrder({ ...ONE, delivered: 3, couldKnow: false, claim })).toBe("sold twice");
  },
);

test("an order that was placed twice may be delivered twice", () => {
  expect(judgeOrder({ ...ONE, asked: 2, delivered: 2 })).toBe("right");
  expect(judgeOrder({ ...ONE, asked: 2, delivered: 3 })).toBe("sold twice");
});

test.each<[string, Partial<OrderFacts>, OrderVerdict]>([
  ["delivered and paid", {}, "right"],
  ["delivered and paid, though it could not know", { couldKnow: false }, "right"],
  ["delivered and failed", { claim: "failed" }, "delivered, but shown failed"],
  ["delivered and failed, as it could not know", { claim: "failed", couldKnow: false }, "delivered, but shown failed"],
  ["delivered and open, though it was told", { claim: "open" }, "stuck although it was told"],
  ["delivered and open, as it could not know", { claim: "open", couldKnow: false }, "needs a person"],
])("%s: %j is %s", (_, changes, verdict) => {
  expect(judgeOrder({ ...ONE, ...changes })).toBe(verdict);
});

test.each<[string, Partial<OrderFacts>, OrderVerdict]>([
  ["not delivered and paid", {}, "shown paid, never delivered"],
  ["not delivered and paid, as it could not know", { couldKnow: false }, "shown paid, never delivered"],
  ["not delivered and failed", { claim: "failed" }, "right"],
  ["not delivered and failed, as it could not know", { claim: "failed", couldKnow: false }, "right"],
  ["not delivered and open, though it was told", { claim: "open" }, "stuck although it was told"],
  ["not delivered and open, as it could not know", { claim: "open", couldKnow: false }, "needs a person"],
  ["never settled and paid", { neverSettles: true, couldKnow: false }, "shown paid before anyone could know"],
  ["never settled and open", { neverSettles: true, couldKnow: false, claim: "open" }, "needs a person"],
  ["never settled and failed", { neverSettles: true, couldKnow: false, claim: "failed" }, "right"],
])("%s: %j is %s", (_, changes, verdict) => {
  expect(judgeOrder({ ...NONE, ...changes })).toBe(verdict);
});

test.each<[number]>([[0], [1]])(
  "an application that cannot be asked, or does not answer, about %i deliveries",
  (delivered) => {
    expect(judgeOrder({ ...ONE, delivered, claim: "not asked" })).toBe("not assessed");
    expect(judgeOrder({ ...ONE, delivered, claim: "no answer" })).toBe("waits forever");
  },
);

test.each<[OrderVerdict, boolean]>([
  ["sold twice", true],
  ["delivered, but shown failed", true],
  ["shown paid, never delivered", true],
  ["shown paid before anyone could know", true],
  ["stuck although it was told", true],
  ["waits forever", true],
  ["needs a person", false],
  ["not assessed", false],
  ["right", false],
])("%s is a defect: %s", (verdict, expected) => {
  expect(isDefect(verdict)).toBe(expected);
});
