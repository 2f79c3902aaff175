import { expect, test } from "vitest";
import { MoneyPace } from "../../../src/verdict/trial/money-pace.ts";

const ALLOWED = { usual: 250, full: 5_000 };

test("money that is wrong has its full time until it has stayed wrong, and then twice what it was seen to take", () => {
  const pace = new MoneyPace();

  expect(pace.patience(ALLOWED)).toBe(5_000);
  pace.noteEnd("wrong", 0);
  expect(pace.patience(ALLOWED)).toBe(250);
  pace.noteLate(2_000);
  expect(pace.patience(ALLOWED)).toBe(4_000);
});

test.each<[string, Parameters<MoneyPace["noteEnd"]>[0], number, boolean, number]>([
  ["was right", "right", 2_000, false, 0],
  ["is not known, and was never late, and a reset follows", "unknown", 0, true, 0],
  ["is not known, and was never late", "unknown", 0, false, 250],
  ["is not known, and was late", "unknown", 2_000, true, 2_250],
  ["is wrong, and may be late for the first time", "wrong", 0, false, 5_000],
  ["is wrong, and a reset follows", "wrong", 2_000, true, 2_250],
])("the next trial begins in time after one whose money %s", (_what, seen, late, isReset, expected) => {
  const pace = new MoneyPace();
  pace.noteLate(late);
  pace.noteEnd(seen, 1_000);

  expect(pace.rest(1_000, { ...ALLOWED, isReset })).toBe(expected);
  expect(pace.rest(7_000, { ...ALLOWED, isReset })).toBe(0);
});

test("nothing is waited for before the first trial", () => {
  expect(new MoneyPace().rest(0, { ...ALLOWED, isReset: false })).toBe(0);
});
