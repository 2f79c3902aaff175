import { expect, test } from "vitest";
import { describeExcess, joinInOrder } from "../../../src/gateway/account/readings/describe-sale.ts";
import { readAccepted } from "../../../src/gateway/account/readings/request.ts";
import { readSale } from "../../../src/gateway/account/readings/sale.ts";
import type { Order } from "../../../src/gateway/domain/order.ts";
import { Aftermaths } from "../../../src/gateway/account/readings/aftermaths.ts";
import { accepted, settled } from "../../support/finding-events.ts";
import { airtime, sms } from "../../support/gateway/world.ts";

test("what is told of several requests one after another is told once, with how often", () => {
  expect(joinInOrder(["a", "a", "b", "a"])).toBe("a ×2, then b, then a");
});

test.each<[string, Order, boolean]>([
  ["KES 150.00 given for KES 75.00 asked", airtime(75), true],
  ["KES 150.00 sold for KES 75.00 asked", airtime(75), false],
  ["2 messages given for 1 asked", sms("Habari"), true],
])("says how much more was sold than asked for: %s", (words, order, isSettled) => {
  const requests = ["a", "b"].map((id) => {
    const aftermaths = new Aftermaths();
    aftermaths.take(accepted(id, 1, { order }));
    if (isSettled) aftermaths.take(settled(id, 2));
    const transaction = aftermaths.transactionOf(id);
    if (transaction === undefined) throw new Error("accepted");
    return readAccepted(transaction);
  });

  expect(describeExcess(requests, readSale(requests))).toBe(words);
});
