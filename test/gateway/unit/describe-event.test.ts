import { expect, test } from "vitest";
import { describe as describeEvent } from "../../../src/gateway/account/readings/describe-event.ts";
import { describeKnown, describeMistold } from "../../../src/gateway/account/readings/describe-order.ts";
import { cents, NO_MONEY } from "../../../src/gateway/domain/kes.ts";
import type { OrderReading } from "../../../src/gateway/account/readings/order.ts";
import type { ConnectionCut } from "../../../src/gateway/account/events.ts";
import { airtime, NOW } from "../../support/gateway/ask.ts";

const CUT: ConnectionCut = {
  kind: "cut",
  at: NOW,
  requestId: "one",
  content: 1,
  breakage: "reset",
  rules: { fired: [], counters: [], breakage: "reset" },
};

test("a connection that broke is about the order that it carried", () => {
  expect(describeEvent({ ...CUT, order: airtime().order }, 3_000)).toEqual({
    title: "airtime 254712345678 KES 50.00",
    status: "cut",
    outcome: "the connection broke before acceptance (reset)",
    details: [],
    tone: "bad",
  });
});

test("a connection that broke without an order asked for the account's details", () => {
  expect(describeEvent(CUT, 3_000).title).toBe("account-details");
});

test.each<[OrderReading["told"], string]>([
  [["delivered", "failed"], "delivered, then failed"],
  [["failed", "delivered", "failed"], "failed, then delivered"],
  [["unreadable", "delivered", "other_id", "failed", "wrong_type"], "delivered, then failed"],
  [["delivered", "reversed"], "delivered, then reversed"],
])("results told as %j are named once each, in their order", (told, words) => {
  expect(describeMistold({ known: "both", told })).toBe(`told ${words}`);
});

const ACCEPTED: OrderReading = {
  asked: undefined,
  answered: { by: "gateway", status: 200, delay: 0 },
  sold: true,
  delivered: undefined,
  refunded: undefined,
  charged: NO_MONEY,
  held: NO_MONEY,
  told: [],
  known: "accepted",
  isTold: false,
  isSilenced: false,
};

test.each<[string, Partial<OrderReading>, string]>([
  ["contradicted", { known: "both", told: ["delivered", "failed"] }, "delivered, then failed"],
  ["told unreadably", { known: "unreadable" }, "accepted; told something unreadable"],
  ["not told at all", {}, "accepted, not the result"],
  ["still under way", { held: cents(4_750) }, "accepted"],
  ["told", { known: "delivered" }, "delivered"],
])("of an order that was %s, a backend can know so", (_what, reading, words) => {
  expect(describeKnown({ ...ACCEPTED, ...reading })).toBe(words);
});
