import { expect, test } from "vitest";
import { turnEnd } from "../../../src/gateway/http/turn-end.ts";

test("gives everybody who asks in one turn the same promise", async () => {
  const [one, other] = [turnEnd(), turnEnd()];
  await one;
  const later = turnEnd();
  await later;

  expect(other).toBe(one);
  expect(later).not.toBe(one);
});
