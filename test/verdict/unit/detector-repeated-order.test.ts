import { expect, test } from "vitest";
import { repeatedOrder } from "../../../src/verdict/checks/repeated-order.ts";
import {
  accepted,
  answered,
  attempted,
  clientLeft,
  cut,
  appliedRules,
  queried,
  refused,
  request,
  settled,
  observationsOf,
} from "../../support/finding-events.ts";
import { airtime, sms } from "../../support/gateway/world.ts";

const lost = appliedRules({ breakage: "empty" });

test("sees airtime again while the first is unresolved", () => {
  const events = [accepted("one", 0), accepted("two", 1.5)];

  const seen = observationsOf(repeatedOrder, events);

  expect(seen).toEqual([
    {
      subject: "airtime 254712345678",
      seen: "KES 50.00 of airtime for 254712***678 was sent again after 1,500 ms: the first had been acknowledged and was unresolved, and the second was accepted too.",
      exchanges: [request("one"), request("two")],
    },
  ]);
});

test("sees airtime again after a success that the backend has not acknowledged", () => {
  const events = [
    accepted("one", 0),
    settled("one", 1),
    attempted("one", 1, { outcome: answered(500) }),
    accepted("two", 120),
  ];

  const [observation] = observationsOf(repeatedOrder, events);

  expect(observation?.seen).toContain("sent again after 2.0 min: the first had been acknowledged and had succeeded");
});

test("sees the same SMS twice within seconds", () => {
  const order = sms("Karibu");
  const events = [accepted("one", 0, { order }), accepted("two", 0.02, { order })];

  const [observation] = observationsOf(repeatedOrder, events);

  expect(observation?.seen).toContain("An SMS of 6 characters from SANDBOX to 254712***678 was sent again after 20 ms");
});

test("sees an order again after a connection that broke before acceptance", () => {
  const events = [cut("one", 0), accepted("two", 3)];

  const [observation] = observationsOf(repeatedOrder, events);

  expect(observation?.seen).toContain(
    "was sent again after 3,000 ms: the connection of the first was broken (reset); it had not been accepted",
  );
});

test("does not say of a first order that waits for its answer that it was acknowledged", () => {
  const events = [accepted("one", 0, { rules: appliedRules({ ack: { delay: 10_000 } }) }), accepted("two", 0.3)];

  const [observation] = observationsOf(repeatedOrder, events);

  expect(observation?.seen).toContain("the first was not answered yet and was unresolved");
});

test.each([
  ["a refusal", refused("two", 3, { code: 402 }), "only its refusal (402)"],
  ["a broken connection", cut("two", 3), "only the broken connection of the second"],
])("sees that %s alone kept an order from being paid for twice", (_, again, because) => {
  const events = [accepted("one", 0, { rules: lost }), again];

  const [observation] = observationsOf(repeatedOrder, events);

  expect(observation?.seen).toContain(because);
});

test.each([
  ["the first was refused", [refused("one", 0, { code: 429 }), accepted("two", 1)]],
  ["the first failed", [accepted("one", 0), settled("one", 1, { outcome: "failed" }), accepted("two", 2)]],
  [
    "the backend has acknowledged the success",
    [accepted("one", 0), settled("one", 1), attempted("one", 1), accepted("two", 2)],
  ],
  ["the second was refused and the first acknowledged", [accepted("one", 0), refused("two", 1, { code: 402 })]],
  [
    "the gateway refused the second as a repeat",
    [accepted("one", 0, { rules: lost }), refused("two", 1, { code: 422 })],
  ],
  ["more than five minutes have passed", [accepted("one", 0), accepted("two", 301)]],
  [
    "a person asks for the same code again",
    [accepted("one", 0, { order: sms("Code 1") }), accepted("two", 30, { order: sms("Code 1") })],
  ],
  ["another customer buys the same", [accepted("one", 0), accepted("two", 1, { order: airtime(50, "254711000001") })]],
  ["the balance was asked for twice", [queried("one", 0), queried("two", 1)]],
  ["the client left and nothing came after it", [accepted("one", 0), clientLeft("one", 2)]],
])("accuses nobody when %s", (_, events) => {
  expect(observationsOf(repeatedOrder, events)).toEqual([]);
});

test("leaves to double-spend what was paid for twice after a lost acknowledgment", () => {
  const events = [accepted("one", 0, { rules: lost }), accepted("two", 1)];

  expect(observationsOf(repeatedOrder, events)).toEqual([]);
});

test("an unreadable callback that was answered with 200 tells the backend nothing", () => {
  const events = [
    accepted("one", 0),
    settled("one", 1),
    attempted("one", 1, { scripted: { malformed: true } }),
    accepted("two", 2),
  ];

  expect(observationsOf(repeatedOrder, events)).toHaveLength(1);
});

test("forgets orders of long ago rather than grow without end", () => {
  const others = Array.from({ length: 10_000 }, (_, index) =>
    accepted(`other ${index}`, 1, { order: airtime(10 + index) }),
  );
  const events = [accepted("one", 0, { order: airtime(9) }), ...others, accepted("two", 2, { order: airtime(9) })];

  expect(observationsOf(repeatedOrder, events)).toEqual([]);
});

test("excuses a retry after the balance could tell that the first was not accepted", () => {
  const events = [cut("one", 0), queried("details", 5), accepted("two", 10)];

  expect(observationsOf(repeatedOrder, events)).toEqual([]);
});

test("a balance that was read before the first order excuses nothing", () => {
  const events = [queried("details", 0), cut("one", 1), accepted("two", 10)];

  expect(observationsOf(repeatedOrder, events)).toHaveLength(1);
});
