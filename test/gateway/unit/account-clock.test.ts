import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { accountTime, changeClock, startClock, wallTimeUntil } from "../../../src/gateway/account/account-time.ts";
import { DAY } from "../../../src/gateway/domain/time.ts";
import type { ClockState } from "../../../src/gateway/settings/clock.ts";

const WALL = 1_000_000;
const scaled = (scale: number): ClockState => ({ mode: "scaled", scale, from: 500, wallFrom: WALL });

describe("a clock that starts", () => {
  test.each([
    [{ mode: "real" }, { mode: "real" }],
    [
      { mode: "scaled", scale: 10 },
      { mode: "scaled", scale: 10, from: WALL, wallFrom: WALL },
    ],
    [
      { mode: "scaled", scale: 10, start: 5 },
      { mode: "scaled", scale: 10, from: 5, wallFrom: WALL },
    ],
    [{ mode: "manual" }, { mode: "manual", from: Date.UTC(2025, 0, 6, 6) }],
    [
      { mode: "manual", start: 0 },
      { mode: "manual", from: 0 },
    ],
  ] as const)("%o", (settings, state) => {
    expect(startClock(settings, WALL)).toEqual(state);
  });
});

describe("the account's time", () => {
  test.each<[string, ClockState, number, number]>([
    ["real", { mode: "real" }, 0, WALL + 250],
    ["real, behind what happened", { mode: "real" }, WALL + 900, WALL + 900],
    ["at half speed, in whole milliseconds", scaled(0.5), 0, 625],
    ["at half speed, an odd millisecond later", scaled(0.501), 0, 625],
    ["a thousand times as fast", scaled(1_000), 0, 250_500],
    ["manual", { mode: "manual", from: 7 }, 0, 7],
    ["manual, behind what happened", { mode: "manual", from: 7 }, 9, 9],
  ])("%s", (_name, clock, latest, shown) => {
    expect(accountTime(clock, WALL + 250, latest)).toBe(shown);
  });
});

describe("the wall time until a moment", () => {
  test.each<[string, ClockState, number, number | "never"]>([
    ["real", { mode: "real" }, WALL + 30 * DAY, 30 * DAY],
    ["real, past", { mode: "real" }, WALL - 1, 0],
    ["manual", { mode: "manual", from: 0 }, 0, "never"],
  ])("%s", (_name, clock, at, wait) => {
    expect(wallTimeUntil(clock, at, WALL)).toBe(wait);
  });

  test("is exact at every scale: the moment has come then, and had not a millisecond earlier", () => {
    const scales = fc.oneof(
      fc.constantFrom(0.5, 0.7, 2.9, 1_000),
      fc.integer({ min: 1, max: 10_000_000 }).map((millionths) => millionths / 1_000_000),
    );
    fc.assert(
      fc.property(scales, fc.integer({ min: 1, max: 1_000_000 }), (scale, far) => {
        const clock = scaled(scale);

        const wait = Number(wallTimeUntil(clock, 500 + far, WALL));

        expect(accountTime(clock, WALL + wait, 0)).toBeGreaterThanOrEqual(500 + far);
        expect(accountTime(clock, WALL + wait - 1, 0)).toBeLessThan(500 + far);
      }),
      { numRuns: 5_000 },
    );
  });
});

describe("changing the clock", () => {
  test.each([
    [{ mode: "manual" }, { mode: "manual", from: 800 }],
    [
      { mode: "manual", start: 900 },
      { mode: "manual", from: 900 },
    ],
    [
      { mode: "scaled", scale: 3 },
      { mode: "scaled", scale: 3, from: 800, wallFrom: WALL },
    ],
    [
      { mode: "scaled", scale: 3, start: 800 },
      { mode: "scaled", scale: 3, from: 800, wallFrom: WALL },
    ],
    [{ mode: "real" }, { mode: "real" }],
  ] as const)("%o", (change, state) => {
    expect(changeClock(change, 800, WALL)).toEqual(state);
  });

  test.each([
    [{ mode: "manual", start: 799 }, 800, "cannot go back", "reset the account"],
    [{ mode: "scaled", scale: 1, start: 799 }, 800, "cannot go back", "reset the account"],
    [{ mode: "real" }, WALL + 1, "ahead of real time", 'set it to "x1"'],
  ] as const)("refuses %o", (change, now, sentence, repair) => {
    expect(changeClock(change, now, WALL)).toEqual({
      problem: expect.stringContaining(sentence),
      repair: expect.stringContaining(repair),
    });
  });
});
