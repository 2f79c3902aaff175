import fc from "fast-check";
import { describe, expect, test } from "vitest";
import {
  addKes,
  cents,
  formatKes,
  kesAsNumber,
  LARGEST_KES,
  parseKes,
  showKes,
  smallerKes,
  subtractKes,
  timesKes,
} from "../../../src/gateway/domain/kes.ts";

const amounts = fc.integer({ min: -LARGEST_KES, max: LARGEST_KES });

describe("reading shillings", () => {
  test.each([
    ["0", 0],
    ["5", 500],
    ["05", 500],
    ["99.5", 9_950],
    ["0.80", 80],
    ["0.01", 1],
    ["100.00", 10_000],
    ["9999999999999.99", 999_999_999_999_999],
  ])("takes %j", (text, count) => {
    expect(parseKes(text)).toBe(count);
  });

  test("reads back every amount that is written", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: LARGEST_KES }), (count) => {
        expect(parseKes(formatKes(cents(count)))).toBe(count);
      }),
    );
  });
});

describe("writing shillings", () => {
  test.each([
    [0, "0.00", "0"],
    [1, "0.01", "0.01"],
    [9_500, "95.00", "95"],
    [69_515, "695.15", "695.15"],
    [-9_500, "-95.00", "-95"],
    [-5, "-0.05", "-0.05"],
    [LARGEST_KES, "9999999999999.99", "9999999999999.99"],
    [100_000, "1000.00", "1000"],
  ])("%i cents are %s with two decimals and %s as a JSON number", (count, text, json) => {
    expect(formatKes(cents(count))).toBe(text);
    expect(JSON.stringify(kesAsNumber(cents(count)))).toBe(json);
  });

  test.each([
    [99_999, "999.99"],
    [100_000, "1,000.00"],
    [-123_456_789, "-1,234,567.89"],
    [LARGEST_KES, "9,999,999,999,999.99"],
  ])("%i cents are %s for people", (count, text) => {
    expect(showKes(cents(count))).toBe(text);
  });

  test("a JSON number says exactly the cents, with at most two decimals", () => {
    fc.assert(
      fc.property(amounts, (count) => {
        const json = JSON.stringify(kesAsNumber(cents(count)));

        const [shillings = "", decimals = ""] = json.split(".");
        expect(decimals.length).toBeLessThanOrEqual(2);
        expect(BigInt(shillings + decimals.padEnd(2, "0"))).toBe(BigInt(count));
      }),
    );
  });
});

describe("arithmetic", () => {
  test.each([0.5, Number.NaN, Infinity, LARGEST_KES + 1, -LARGEST_KES - 1])("%d cents cannot be kept", (count) => {
    expect(() => cents(count)).toThrow(RangeError);
  });

  test("adds, subtracts and multiplies exactly, or not at all", () => {
    fc.assert(
      fc.property(amounts, amounts, (one, other) => {
        const sum = reckon(() => addKes(cents(one), cents(other)));
        const difference = reckon(() => subtractKes(cents(one), cents(other)));

        expect(sum).toBe(keepable(BigInt(one) + BigInt(other)));
        expect(difference).toBe(keepable(BigInt(one) - BigInt(other)));
      }),
    );
  });

  test("multiplies exactly, or not at all", () => {
    expect(timesKes(cents(80), 255)).toBe(20_400);
    expect(() => timesKes(LARGEST_KES, 2)).toThrow(RangeError);
  });

  test("finds the smaller of two", () => {
    expect(smallerKes(cents(1), cents(2))).toBe(1);
    expect(smallerKes(cents(0), cents(-1))).toBe(-1);
  });
});

function reckon(sum: () => number): bigint | "not kept" {
  try {
    return BigInt(sum());
  } catch (problem) {
    if (problem instanceof RangeError) return "not kept";
    throw problem;
  }
}

function keepable(exact: bigint): bigint | "not kept" {
  return exact > LARGEST_KES || exact < -LARGEST_KES ? "not kept" : exact;
}
