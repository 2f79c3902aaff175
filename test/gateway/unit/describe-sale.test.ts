import { expect, test } from "vitest";
import { joinInOrder } from "../../../src/gateway/account/readings/describe-sale.ts";

test("what is told of several requests one after another is told once, with how often", () => {
  expect(joinInOrder(["a", "a", "b", "a"])).toBe("a ×2, then b, then a");
});
