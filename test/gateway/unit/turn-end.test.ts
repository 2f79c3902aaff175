import { expect, test } from "vitest";
import { turnEnd } from "../../../src/gateway/http/turn-end.ts";

test("returns the same promise to all callers of one turn", async () => {
  const [one, other] = [turnEnd(), turnEnd()];
  await one;
  const later = turnEnd();
  await later;

  expect(other).toBe(one);
  expect(later).not.toBe(one);
});
