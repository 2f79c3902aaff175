import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { gatewayOptions } from "../../../src/gateway/start-gateway.ts";
import { cents, type Kes, LARGEST_KES } from "../../../src/gateway/domain/kes.ts";
import { PRODUCTS, quoteOrder, sampleOrder } from "../../../src/gateway/domain/order.ts";
import { order } from "../../../src/gateway/domain/schemas.ts";
import { airtime, phone, sms } from "../../support/gateway/world.ts";

const { gateway } = gatewayOptions.parse({});
const { safaricom } = gateway.carriers;

describe("an amount minus the discount", () => {
  test("is exact and rounded half up, whatever the amount and the discount", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: LARGEST_KES }), fc.integer({ min: 0, max: 10_000 }), (amount, discount) => {
        const exact = (BigInt(amount) * BigInt(10_000 - discount) * 2n + 10_000n) / 20_000n;

        expect(BigInt(priceOf(cents(amount), discount))).toBe(exact);
      }),
    );
  });
});

describe("a quote", () => {
  test("for airtime is the amount minus the carrier's discount", () => {
    expect(quoteOrder(airtime(100), safaricom, gateway)).toEqual({ operation: "airtime", price: 9_500 });
  });

  test.each([
    ["GSM, one part", "x".repeat(160), 80, 1],
    ["GSM, two parts", "x".repeat(161), 160, 2],
    ["GSM, two full parts", "x".repeat(306), 160, 2],
    ["GSM, three parts", "x".repeat(307), 240, 3],
    ["UCS-2, one part", "ж".repeat(70), 80, 1],
    ["UCS-2, two parts", "ж".repeat(140), 160, 2],
    ["UCS-2, three parts", "ж".repeat(141), 240, 3],
  ])("for an SMS is its parts times the carrier's price: %s", (_name, text, price, parts) => {
    expect(quoteOrder(sms(text), safaricom, gateway)).toMatchObject({ operation: "sms", price, measure: { parts } });
  });
});

function priceOf(amount: Kes, discount: number): Kes {
  return quoteOrder({ operation: "airtime", amount }, { ...safaricom, discount }, gateway).price;
}

test.each(PRODUCTS)("the order that shows what a callback for %s looks like is one", (product) => {
  const sample = sampleOrder(product, phone("254712345678"));

  expect(order.parse(sample)).toEqual({ ...sample, operation: product });
});
