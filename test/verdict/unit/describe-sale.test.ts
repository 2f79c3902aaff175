import { expect, test } from "vitest";
import { describeExcess, describeReceived, joinInOrder } from "../../../src/gateway/account/readings/describe-sale.ts";
import type { Settled } from "../../../src/gateway/account/events.ts";
import { readAccepted, type RequestReading } from "../../../src/gateway/account/readings/request.ts";
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
  const requests = [{}, {}].map((result) => requestOf(order, isSettled ? result : undefined));

  expect(describeExcess(requests, readSale(requests))).toBe(words);
});

const PART: Partial<Settled> = { outcome: "failed", delivered: [1] };

test.each<[string, readonly Partial<Settled>[]]>([
  ["nothing", [{ outcome: "failed" }]],
  ["the message", [{}]],
  ["the message 2×", [{}, {}]],
  ["part 1 of the message and the message", [PART, {}]],
  ["part 1 of the message 2× and parts 1, 3 of the message", [PART, PART, { ...PART, delivered: [1, 3] }]],
])("says what arrived of messages: %s", (words, results) => {
  const requests = results.map((result) => requestOf(sms("x".repeat(400)), result));

  expect(describeReceived(requests, readSale(requests))).toBe(words);
});

function requestOf(order: Order, result?: Partial<Settled>): RequestReading {
  const aftermaths = new Aftermaths();
  aftermaths.take(accepted("a", 1, { order }));
  if (result !== undefined) aftermaths.take(settled("a", 2, result));
  const transaction = aftermaths.transactionOf("a");
  if (transaction === undefined) throw new Error("accepted");
  return readAccepted(transaction);
}
