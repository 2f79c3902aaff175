import { expect, test } from "vitest";
import { seededRandom } from "../../../src/gateway/adapters/random/seeded-random.ts";
import { type Delay, drawDelay, type Draws } from "../../../src/gateway/domain/draws.ts";
import { LONGEST_DURATION } from "../../../src/gateway/domain/time.ts";

const MANY = 20_000;

test("a fixed delay is constant", () => {
  expect(new Set(drawMany({ fixed: 0 }))).toEqual(new Set([0]));
  expect(new Set(drawMany({ fixed: 400 }))).toEqual(new Set([400]));
});

test("a uniform delay is spread evenly between its bounds, both included", () => {
  const drawn = drawMany({ uniform: [100, 300] });

  expect(drawn[0]).toBe(100);
  expect(drawn.at(-1)).toBe(300);
  expect(Math.abs(quantile(drawn, 0.25) - 150)).toBeLessThan(5);
  expect(Math.abs(quantile(drawn, 0.5) - 200)).toBeLessThan(5);
  expect(Math.abs(quantile(drawn, 0.75) - 250)).toBeLessThan(5);
});

test.each([
  [400, 0.5],
  [900, 0.5],
  [1_000, 1],
])("a lognormal delay has the median %i and the spread %d", (median, sigma) => {
  const drawn = drawMany({ lognormal: { median, sigma } });

  const [low, middle, high] = [0.158_655, 0.5, 0.841_345].map((share) => Math.log(quantile(drawn, share) / median));

  expect(middle).toBeCloseTo(0, 1);
  expect(low).toBeCloseTo(-sigma, 1);
  expect(high).toBeCloseTo(sigma, 1);
});

test("a lognormal delay without spread is its median", () => {
  expect(new Set(drawMany({ lognormal: { median: 400, sigma: 0 } }))).toEqual(new Set([400]));
});

test.each<[string, Draws["draw"], Delay]>([
  ["uniform, at the least draw", () => 0, { uniform: [3, 8] }],
  ["uniform, at the greatest draw", () => 1 - 2 ** -53, { uniform: [3, 8] }],
  ["lognormal, at the least draw", () => 0, { lognormal: { median: 400, sigma: 3 } }],
  ["lognormal, at the greatest draw", () => 1 - 2 ** -53, { lognormal: { median: 400, sigma: 3 } }],
  [
    "lognormal, far on the short side",
    (purpose) => (purpose.endsWith("angle") ? 0.5 : 1 - 2 ** -53),
    { lognormal: { median: 400, sigma: 3 } },
  ],
])("is whole, finite and not negative: %s", (_name, draw, delay) => {
  const drawn = drawDelay(delay, { uuid: () => "", draw }, "test");

  expect(Number.isSafeInteger(drawn) && drawn >= 0).toBe(true);
});

test("a lognormal delay is at most the longest that can be written", () => {
  const delay: Delay = { lognormal: { median: LONGEST_DURATION, sigma: 3 } };

  const drawn = drawDelay(delay, { uuid: () => "", draw: extreme }, "test");

  expect(drawn).toBe(LONGEST_DURATION);
});

test("the same draws give the same delay, and another purpose another one", () => {
  const delay: Delay = { lognormal: { median: 100_000, sigma: 1 } };
  const draws = seededRandom().digest("label");

  expect(drawDelay(delay, draws, "one")).toBe(drawDelay(delay, draws, "one"));
  expect(drawDelay(delay, draws, "one")).not.toBe(drawDelay(delay, draws, "other"));
});

/** Sorted. */
function drawMany(delay: Delay): number[] {
  const random = seededRandom();
  return Array.from({ length: MANY }, (_, index) =>
    drawDelay(delay, random.digest(`${index}`), "carrier latency"),
  ).sort((one, other) => one - other);
}

function quantile(sorted: readonly number[], share: number): number {
  return sorted[Math.floor(share * sorted.length)] ?? Number.NaN;
}

/** Draws the numbers that make a lognormal delay as long as it can be. */
function extreme(purpose: string): number {
  return purpose.endsWith("angle") ? 0 : 1 - 2 ** -53;
}
