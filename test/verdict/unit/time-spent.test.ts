import { expect, test } from "vitest";
import { describeTime, formatShort, TimeSheet, type TimeSpent } from "../../../src/verdict/time-spent.ts";
import { manualWallClock } from "../../support/gateway/manual-wall-clock.ts";

test.each<[number, TimeSpent | undefined, string]>([
  [2_100, undefined, "2.1s"],
  [84_000, {}, "84s"],
  [
    84_000,
    { restarting_ms: 12_000, quiet_ms: 31_000, confirming_ms: 22_000 },
    "84s: 31s waiting until nothing happened any more, 22s confirming, 12s restarting",
  ],
  [20_000, { timers_ms: 2_000, quiet_ms: 1_999 }, "20s: 2.0s waiting for the application's own timers"],
  [0, { quiet_ms: 0 }, "0ms"],
])("a run of %d ms, of which %j was spent on a part of it, took %s", (whole, spent, words) => {
  expect(describeTime(whole, spent)).toBe(words);
});

test.each([
  [0.4, "0ms"],
  [999.4, "999ms"],
  [1_000, "1.0s"],
  [9_940, "9.9s"],
  [10_400, "10s"],
])("writes %d ms as %s", (millis, words) => {
  expect(formatShort(millis)).toBe(words);
});

test("the time of a part is added up, and what happens within it counts as that part alone", async () => {
  const clock = manualWallClock(0);
  const sheet = new TimeSheet(clock);
  const pass = async (millis: number): Promise<void> => clock.advance(millis);

  await sheet.spend("quiet_ms", () => pass(100));
  await pass(1_000);
  await sheet.spend("confirming_ms", async () => {
    await pass(10);
    await sheet.spend("quiet_ms", () => pass(20));
  });
  await sheet.spend("quiet_ms", () => pass(200.4));

  expect(sheet.spent).toEqual({ quiet_ms: 300, confirming_ms: 30 });
});

test("the time of work that fails counts, too", async () => {
  const clock = manualWallClock(0);
  const sheet = new TimeSheet(clock);
  const failing = sheet.spend("restarting_ms", () => {
    clock.advance(50);
    return Promise.reject(new Error("it does not start"));
  });

  await expect(failing).rejects.toThrow("it does not start");
  await sheet.spend("quiet_ms", async () => clock.advance(1));

  expect(sheet.spent).toEqual({ restarting_ms: 50, quiet_ms: 1 });
});
