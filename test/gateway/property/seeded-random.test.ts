import * as fc from "fast-check";
import { expect, test } from "vitest";
import { seededRandom } from "../../../src/gateway/adapters/random/seeded-random.ts";

const LABELS = 10_000;
const BINS = 100;
const repeatable = { numRuns: 5, seed: 20250106 };
const purpose = fc.constantFrom("latency", "latency angle", "ported", "outcome", "rule 1", "rule 2", "rule 10", "");

test("the same label gives the same everything, whoever asks first", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), fc.array(fc.string()), (label, purposes) => {
      const forwards = seededRandom().digest(label);
      const backwards = seededRandom().digest(label);

      const drawnForwards = purposes.map((name) => forwards.draw(name));
      const drawnBackwards = purposes.toReversed().map((name) => backwards.draw(name));

      expect(drawnBackwards.toReversed()).toEqual(drawnForwards);
      expect(backwards.uuid()).toBe(forwards.uuid());
    }),
  );
});

test("an id is a UUID of version 4 in form", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (label) => {
      const id = seededRandom().digest(label).uuid();

      expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    }),
  );
});

test("100,000 labels have ids of their own", () => {
  const random = seededRandom();

  const ids = Array.from({ length: 100_000 }, (_, index) => random.digest(`7 airtime ${index}`).uuid());

  expect(new Set(ids).size).toBe(100_000);
});

test("a draw lies in [0, 1)", () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (label, name) => {
      const drawn = seededRandom().digest(label).draw(name);

      expect(drawn >= 0 && drawn < 1).toBe(true);
    }),
  );
});

test("draws over labels that differ in a number are uniform", () => {
  fc.assert(
    fc.property(fc.string(), purpose, (prefix, name) => {
      const drawn = drawOver(prefix, name);

      // 99 degrees of freedom: below 40 and above 190 lies less than one sample in ten million.
      expect(chiSquare(drawn)).toBeGreaterThan(40);
      expect(chiSquare(drawn)).toBeLessThan(190);
    }),
    repeatable,
  );
});

test("the last bits of a draw are uniform too", () => {
  const tails = drawOver("tail", "latency").map((drawn) => (drawn * 2 ** 40) % 1);

  expect(chiSquare(tails)).toBeGreaterThan(40);
  expect(chiSquare(tails)).toBeLessThan(190);
});

test("draws for different purposes do not go together", () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.uniqueArray(purpose, { minLength: 2, maxLength: 2 }),
      (prefix, [left = "", right = ""]) => {
        const together = correlation(drawOver(prefix, left), drawOver(prefix, right));

        // Five standard deviations of the correlation of 10,000 independent pairs.
        expect(Math.abs(together)).toBeLessThan(0.05);
      },
    ),
    repeatable,
  );
});

test("a fresh seed is a non-negative safe integer, and another one each time", () => {
  const random = seededRandom();

  const seeds = Array.from({ length: 100 }, () => random.freshSeed());

  expect(seeds.every((seed) => Number.isSafeInteger(seed) && seed >= 0)).toBe(true);
  expect(new Set(seeds).size).toBe(100);
});

test("a fresh id is another one each time", () => {
  const random = seededRandom();

  const ids = Array.from({ length: 100 }, () => random.freshId());

  expect(new Set(ids).size).toBe(100);
});

function drawOver(prefix: string, name: string): number[] {
  const random = seededRandom();
  return Array.from({ length: LABELS }, (_, index) => random.digest(`${prefix} ${index}`).draw(name));
}

function chiSquare(drawn: readonly number[]): number {
  const expected = drawn.length / BINS;
  const counts = drawn.reduce(
    (bins, value) => bins.with(Math.floor(value * BINS), (bins[Math.floor(value * BINS)] ?? 0) + 1),
    zeros(),
  );
  return counts.reduce((sum, count) => sum + (count - expected) ** 2 / expected, 0);
}

function zeros(): number[] {
  return Array.from({ length: BINS }, () => 0);
}

function correlation(left: readonly number[], right: readonly number[]): number {
  const products = left.map((value, index) => (value - 0.5) * ((right[index] ?? 0) - 0.5));
  // The variance of a uniform number is 1/12.
  return (products.reduce((sum, product) => sum + product, 0) / products.length) * 12;
}
