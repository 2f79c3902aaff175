import { expect, test } from "vitest";
import { manualWallClock } from "../../support/gateway/manual-wall-clock.ts";

test("stands still until it is advanced", () => {
  const clock = manualWallClock(1_000);

  clock.advance(250);

  expect(clock.now()).toBe(1_250);
});

test("runs jobs in the order they fall due, the first asked first among equals, each at its instant", () => {
  const clock = manualWallClock(1_000);
  const ran: string[] = [];
  clock.after(30, () => ran.push(`third ${clock.now()}`));
  clock.after(10, () => ran.push(`first ${clock.now()}`));
  clock.after(10, () => ran.push(`second ${clock.now()}`));
  clock.after(31, () => ran.push(`too late ${clock.now()}`));

  clock.advance(30);

  expect(ran).toEqual(["first 1010", "second 1010", "third 1030"]);
});

test("runs what a job schedules, when it falls due in the same advance", () => {
  const clock = manualWallClock(0);
  const ran: number[] = [];
  clock.after(10, () => clock.after(5, () => ran.push(clock.now())));
  clock.after(10, () => clock.after(500, () => ran.push(clock.now())));

  clock.advance(100);

  expect(ran).toEqual([15]);
});

test("runs no job that was cancelled, by another job included", () => {
  const clock = manualWallClock(0);
  const ran: string[] = [];
  const cancelled = clock.after(20, () => ran.push("cancelled"));
  clock.after(10, () => cancelled.cancel());
  clock.after(20, () => ran.push("kept"));

  clock.advance(100);

  expect(ran).toEqual(["kept"]);
});

test("runs a job without a wait at the next advance, even by nothing", () => {
  const clock = manualWallClock(0);
  const ran: string[] = [];
  clock.after(0, () => ran.push("now"));

  clock.advance(0);

  expect(ran).toEqual(["now"]);
});

test.each([-1, Number.NaN])("cannot be advanced by %d", (by) => {
  const clock = manualWallClock(0);

  expect(() => clock.advance(by)).toThrow(RangeError);
});
