import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { BREAKAGES } from "../../../src/gateway/scenario/effects/applied-rules.ts";
import {
  accepted,
  after,
  answered,
  appliedRules,
  attempted,
  clientLeft,
  cut,
  observationsOf,
  queried,
  refused,
  reversed,
  request,
  settled,
} from "../../support/finding-events.ts";
import { airtime, sms } from "../../support/gateway/world.ts";

const lost = appliedRules({ breakage: "reset" });

test("sold-twice: says what was sold twice, how far apart, and how the first answer was lost", () => {
  const events = [accepted("one", 0, { rules: lost }), accepted("two", 2.104)];

  const seen = observationsOf("sold-twice", events);

  expect(seen).toEqual([
    {
      subject: "airtime 254712345678",
      seen: "KES 50.00 of airtime for 254712***678 was sold twice, 2,104 ms apart: the first got no answer: connection reset, and it was unresolved when the second came.",
      exchanges: [request("one"), request("two")],
    },
  ]);
});

test("sold-twice: no longer connects an order with one that succeeded ten minutes earlier and has no callback to come", () => {
  const none = { none: "no callback URL is registered" };
  const events = [accepted("one", 0, { rules: lost }), settled("one", 1, { callback: none }), accepted("two", 660)];

  expect(observationsOf("sold-twice", events)).toEqual([]);
});

test.each<[string, readonly AccountEvent[], string]>([
  [
    "says that the first had succeeded, where it had",
    [accepted("one", 0, { rules: lost }), settled("one", 1), accepted("two", 30)],
    "30.0 s apart: the first got no answer: connection reset, and it had succeeded when the second came",
  ],
  [
    "sees an order again after its client had left, however soon",
    [accepted("one", 0), clientLeft("one", 0.4, 400), accepted("two", 0.41)],
    "the first got no answer: your client left after 400ms",
  ],
  [
    "sees an order again while the acknowledgment is still due",
    [accepted("one", 0, { rules: appliedRules({ ack: { delay: 10_000 } }) }), accepted("two", 5)],
    "the answer to the first was still due after 10s",
  ],
])("sold-twice: %s, in words", (_, events, words) => {
  expect(observationsOf("sold-twice", events)).toMatchObject([{ seen: expect.stringContaining(words) }]);
});

test.each(BREAKAGES)("sold-twice: sees an order again after %s", (breakage) => {
  const events = [accepted("one", 0, { rules: appliedRules({ breakage }) }), accepted("two", 5)];

  expect(observationsOf("sold-twice", events)).toHaveLength(1);
});

test("sold-twice: sees an order again that is here before word of the client's leaving is", () => {
  const hung = appliedRules({ breakage: "hang" });
  const events = [accepted("one", 0, { rules: hung }), accepted("two", 0.007), clientLeft("one", 0.01, 50)];

  const [observation] = observationsOf("sold-twice", events);

  expect(observation?.exchanges).toEqual([request("one"), request("two")]);
});

test.each([
  [{ delay: 0, status: 502 }, "answered with HTTP 502"],
  [{ delay: 0, status: 302 }, "answered with HTTP 302"],
  [{ delay: 0, status: 429 }, "answered with HTTP 429"],
  [{ delay: 0, body: "<html>" }, "answered with HTTP 200 with a body that is not JSON"],
])("sold-twice: sees an order again after the answer %j, which says nothing of it", (ack, because) => {
  const events = [accepted("one", 0, { rules: appliedRules({ ack }) }), accepted("two", 5)];

  const [observation] = observationsOf("sold-twice", events);

  expect(observation?.seen).toContain(because);
});

test("sold-twice: sees the same text to the same number from the same sender again", () => {
  const order = sms("Your code is 4821");
  const events = [accepted("one", 0, { order, rules: lost }), accepted("two", 3, { order })];

  const [observation] = observationsOf("sold-twice", events);

  expect(observation).toMatchObject({ subject: "sms 254712345678" });
  expect(observation?.seen).not.toContain("4821");
});

test("sold-twice: sees the third of three when only it was accepted beside the first", () => {
  const events = [
    accepted("one", 0, { rules: lost }),
    refused("two", 1, { code: 429 }),
    cut("three", 2),
    accepted("four", 4),
  ];

  const [observation] = observationsOf("sold-twice", events);

  expect(observation?.exchanges).toEqual([request("one"), request("four")]);
});

test("sold-twice: goes by wall time where the account's clock stands still", () => {
  expect(observationsOf("sold-twice", againAfter(10))).toHaveLength(1);
  expect(observationsOf("sold-twice", againAfter(10.1))).toEqual([]);
});

test.each([
  ["the first was acknowledged", [accepted("one", 0), accepted("two", 2)]],
  [
    "the first failed",
    [accepted("one", 0, { rules: lost }), settled("one", 1, { outcome: "failed" }), accepted("two", 2)],
  ],
  ["the first was refused", [refused("one", 0, { code: 500 }), accepted("two", 2)]],
  ["the first broke before it was accepted", [cut("one", 0), accepted("two", 2)]],
  [
    "the order was clicked twice and the client left both later",
    [
      accepted("one", 0, { rules: appliedRules({ ack: { delay: 10_000 } }) }),
      accepted("two", 0.3),
      clientLeft("one", 5, 5_000),
    ],
  ],
  ["the amount differs", [accepted("one", 0, { rules: lost }), accepted("two", 2, { order: airtime(60) })]],
  [
    "the number differs",
    [accepted("one", 0, { rules: lost }), accepted("two", 2, { order: airtime(50, "254711000001") })],
  ],
  [
    "the text differs",
    [accepted("one", 0, { order: sms("Code 1"), rules: lost }), accepted("two", 2, { order: sms("Code 2") })],
  ],
  [
    "the sender differs",
    [
      accepted("one", 0, { order: sms("Hi"), rules: lost }),
      accepted("two", 2, { order: sms("Hi", "254712345678", "20254") }),
    ],
  ],
  ["the second was refused", [accepted("one", 0, { rules: lost }), refused("two", 2, { code: 402 })]],
  [
    "a callback alone came again",
    [accepted("one", 0, { rules: lost }), settled("one", 1), attempted("one", 1), attempted("one", 2)],
  ],
])("sold-twice: accuses nobody when %s", (_, events) => {
  expect(observationsOf("sold-twice", events)).toEqual([]);
});

test.each<[string, readonly AccountEvent[], number]>([
  [
    "the acknowledged second is what a third is compared with",
    [accepted("one", 0, { rules: lost }), accepted("two", 2), accepted("three", 4)],
    1,
  ],
])("sold-twice: %s", (_, events, count) => {
  expect(observationsOf("sold-twice", events)).toHaveLength(count);
});

test("sold-twice: the failure of one order says nothing of an equal one after it", () => {
  const events = [
    accepted("one", 0),
    accepted("two", 1, { rules: lost }),
    settled("one", 2, { outcome: "failed" }),
    accepted("three", 3),
  ];

  const seen = observationsOf("sold-twice", events);

  expect(seen.map(({ exchanges }) => exchanges)).toEqual([[request("two"), request("three")]]);
});

function againAfter(minutes: number): AccountEvent[] {
  return [
    accepted("one", 0, { rules: lost, traits: { wallAt: after(0) } }),
    settled("one", 0),
    attempted("one", 0),
    accepted("two", 0, { traits: { wallAt: after(minutes * 60) } }),
  ];
}

test("sold-twice: an order whose success was reversed may be placed again", () => {
  const events = [accepted("a", 0), settled("a", 1), reversed("a", 2), accepted("b", 3), settled("b", 4)];

  expect(observationsOf("sold-twice", events)).toEqual([]);
  expect(observationsOf("repeated-order", events)).toEqual([]);
});

test.each([402, 429, 500])(
  "says nothing of an order that was accepted, answered with the refusal %i and sent again",
  (code) => {
    const ack = { delay: 0, status: code, body: `{"status_code":${code}}` };
    const events = [
      accepted("one", 0, { rules: appliedRules({ ack }) }),
      accepted("two", 2, { rules: appliedRules({ ack }) }),
      accepted("three", 4),
    ];

    expect(observationsOf("sold-twice", events)).toEqual([]);
    expect(observationsOf("repeated-order", events)).toEqual([]);
  },
);

test("sold-twice: says nothing of an order that was sent again after a lost answer, accepted, and then answered with a refusal", () => {
  const ack = { delay: 0, status: 402, body: '{"status_code":402}' };
  const events = [accepted("one", 0, { rules: lost }), accepted("two", 2, { rules: appliedRules({ ack }) })];

  expect(observationsOf("sold-twice", events)).toEqual([]);
});

test.each([
  ["the first failed", settled("one", 3, { outcome: "failed" }), "only because the first failed"],
  ["the second failed", settled("two", 3, { outcome: "failed" }), "only because the second failed"],
  ["the first was taken back", reversed("one", 3), "only because the first was taken back"],
])("sold-twice: is taken back once %s, and a risk is left", (_, later, because) => {
  const events = [accepted("one", 0, { rules: lost }), accepted("two", 2), settled("one", 2.5), later];

  const [risk] = observationsOf("repeated-order", events);

  expect(observationsOf("sold-twice", events.slice(0, -1))).toHaveLength(1);
  expect(observationsOf("sold-twice", events)).toEqual([]);
  expect(risk?.seen).toContain(`it was not sold twice ${because}`);
});

test("sold-twice: holds as long as two of three are sold, whichever of them fails", () => {
  const events = [accepted("one", 0, { rules: lost }), accepted("two", 2, { rules: lost }), accepted("three", 4)];
  const exchangesAfter = (failed: string) =>
    observationsOf("sold-twice", [...events, settled(failed, 5, { outcome: "failed" })]).map(
      ({ exchanges }) => exchanges,
    );

  expect({ one: exchangesAfter("one"), two: exchangesAfter("two"), three: exchangesAfter("three") }).toEqual({
    one: [[request("two"), request("three")]],
    two: [[request("one"), request("three")]],
    three: [[request("one"), request("two")]],
  });
});

const over = [accepted("one", 0, { rules: lost }), settled("one", 1), attempted("one", 1)];

test("sold-twice: an order that broke off within ten minutes does not hide one that was accepted before it", () => {
  const soon = [...over, cut("two", 300), accepted("three", 400)];
  const atLast = [...over, cut("two", 600), accepted("three", 600)];

  expect(observationsOf("sold-twice", soon)).toMatchObject([{ exchanges: [request("one"), request("three")] }]);
  expect(observationsOf("sold-twice", atLast)).toMatchObject([{ exchanges: [request("one"), request("three")] }]);
});

test("repeated-order: an order that broke off more than ten minutes after another is what the next is compared with", () => {
  const events = [...over, cut("two", 600.001), accepted("three", 601)];

  expect(observationsOf("repeated-order", events)).toMatchObject([{ exchanges: [request("two"), request("three")] }]);
});

test.each([
  ["a second, when a client may first give up", 1, 1],
  ["less than a second", 0.999, 0],
  ["less than the acknowledgment took", 9.999, 1],
  ["as long as the acknowledgment took", 10, 0],
])(
  "sold-twice: of an order whose acknowledgment takes ten seconds, and which comes again after %s",
  (_, later, count) => {
    const events = [accepted("one", 0, { rules: appliedRules({ ack: { delay: 10_000 } }) }), accepted("two", later)];

    expect(observationsOf("sold-twice", events)).toHaveLength(count);
  },
);

test.each([
  [0.9, 1],
  [0.899, 0],
])("sold-twice: of an order after %f s, whose client is seen to leave the first after one second", (later, count) => {
  const events = [accepted("one", 0), accepted("two", later), clientLeft("one", 1, 1_000)];

  expect(observationsOf("sold-twice", events)).toHaveLength(count);
});

test("sold-twice: reports a repeat once, even if the client's disconnect is noticed after it", () => {
  const hung = appliedRules({ breakage: "hang" });
  const events = [accepted("one", 0, { rules: hung }), accepted("two", 1.5), clientLeft("one", 1.55, 1_550)];

  expect(observationsOf("sold-twice", events)).toHaveLength(1);
});

const emptied = appliedRules({ breakage: "empty" });
const slow = appliedRules({ ack: { delay: 11_000 } });

test("repeated-order: sees airtime again while the first is unresolved", () => {
  const events = [accepted("one", 0), accepted("two", 1.5)];

  const seen = observationsOf("repeated-order", events);

  expect(seen).toEqual([
    {
      subject: "airtime 254712345678",
      seen: "KES 50.00 of airtime for 254712***678 was sent again after 1,500 ms: the first had been acknowledged and was unresolved, and the second was accepted too.",
      exchanges: [request("one"), request("two")],
    },
  ]);
});

test.each<[string, readonly AccountEvent[], string]>([
  [
    "sees airtime again after a success that the backend has not acknowledged",
    [accepted("one", 0), settled("one", 1), attempted("one", 1, { outcome: answered(500) }), accepted("two", 120)],
    "sent again after 2.0 min: the first had been acknowledged and had succeeded",
  ],
  [
    "sees an order again after a connection that broke before acceptance",
    [cut("one", 0), accepted("two", 3)],
    "was sent again after 3,000 ms: the first got no answer: connection reset; it had not been accepted",
  ],
  [
    "does not say of a first order that waits for its answer that it was acknowledged",
    [accepted("one", 0, { rules: slow }), accepted("two", 0.3), settled("one", 1), settled("two", 1.3)],
    "the first was not answered yet and was unresolved",
  ],
  [
    "says that the first had been acknowledged once its late acknowledgment was there",
    [accepted("one", 0, { rules: slow }), accepted("two", 11)],
    "sent again after 11.0 s: the first had been acknowledged and was unresolved",
  ],
])("repeated-order: %s, in words", (_, events, words) => {
  expect(observationsOf("repeated-order", events)).toMatchObject([{ seen: expect.stringContaining(words) }]);
});

test("repeated-order: sees the same SMS twice within seconds", () => {
  const order = sms("Karibu");
  const events = [accepted("one", 0, { order }), accepted("two", 0.02, { order })];

  const [observation] = observationsOf("repeated-order", events);

  expect(observation?.seen).toContain("An SMS of 6 characters from SANDBOX to 254712***678 was sent again after 20 ms");
});

test.each([
  ["airtime five minutes later", airtime(50), 300, 1],
  ["airtime more than five minutes later", airtime(50), 300.001, 0],
  ["an SMS ten seconds later", sms("Karibu"), 10, 1],
  ["an SMS more than ten seconds later", sms("Karibu"), 10.001, 0],
  ["airtime in the same millisecond", airtime(50), 0, 1],
])("repeated-order: of %s", (_, order, later, count) => {
  const events = [accepted("one", 0, { order }), accepted("two", later, { order })];

  expect(observationsOf("repeated-order", events)).toHaveLength(count);
});

test("repeated-order: does not wait for a second order that never gets a result", () => {
  const plan = { ...accepted("two", 0).plan, settleAfter: "never" } as const;
  const events = [accepted("one", 0, { rules: slow }), accepted("two", 0.3, { plan })];

  expect(observationsOf("repeated-order", events)).toHaveLength(1);
});

test("repeated-order: leaves a retry that comes before the client's disconnect is noticed to sold-twice", () => {
  const events = [
    accepted("one", 0, { rules: slow }),
    accepted("two", 0.97),
    clientLeft("one", 1, 1_000),
    settled("one", 1),
    settled("two", 2),
  ];

  expect(observationsOf("repeated-order", events)).toEqual([]);
  expect(observationsOf("sold-twice", events)).toHaveLength(1);
});

test.each([
  ["a refusal", refused("two", 3, { code: 402 }), "only because the second was refused (402)"],
  ["a broken connection", cut("two", 3), "only because the second was not accepted"],
])("repeated-order: sees that %s alone kept an order from being sold twice", (_, again, because) => {
  const events = [accepted("one", 0, { rules: emptied }), again];

  const [observation] = observationsOf("repeated-order", events);

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
    [accepted("one", 0, { rules: emptied }), refused("two", 1, { code: 422 })],
  ],
  ["the clock was put back between them", [accepted("one", 10), accepted("two", 5)]],
  ["the first broke off more than ten minutes before", [cut("one", 0), accepted("two", 600.001)]],
  [
    "the second is refused before the first is answered",
    [accepted("one", 0, { rules: slow }), refused("two", 0.3, { code: 402 })],
  ],
  [
    "events are about orders that nobody remembers",
    [settled("unknown", 0), attempted("unknown", 1), clientLeft("unknown", 2)],
  ],
  ["another customer buys the same", [accepted("one", 0), accepted("two", 1, { order: airtime(50, "254711000001") })]],
  ["the balance was asked for twice", [queried("one", 0), queried("two", 1)]],
  ["the client left and nothing came after it", [accepted("one", 0), clientLeft("one", 2)]],
])("repeated-order: accuses nobody when %s", (_, events) => {
  expect(observationsOf("repeated-order", events)).toEqual([]);
});

test.each<[string, readonly AccountEvent[], number]>([
  [
    "leaves to sold-twice what was paid for twice after a lost acknowledgment",
    [accepted("one", 0, { rules: emptied }), accepted("two", 1)],
    0,
  ],
  [
    "a balance that was read before the first order excuses nothing",
    [queried("details", 0), cut("one", 1), accepted("two", 10)],
    1,
  ],
  [
    "a balance whose answer broke off excuses nothing",
    [cut("one", 0), queried("details", 5, { rules: lost }), accepted("two", 10)],
    1,
  ],
])("repeated-order: %s", (_, events, count) => {
  expect(observationsOf("repeated-order", events)).toHaveLength(count);
});

test.each([
  ["an unreadable callback", { malformed: true }],
  ["a callback for an unknown request_id", { unknown_id: true }],
])("repeated-order: %s that was answered with 200 tells the backend nothing", (_, scripted) => {
  const events = [accepted("one", 0), settled("one", 1), attempted("one", 1, { scripted }), accepted("two", 2)];

  expect(observationsOf("repeated-order", events)).toHaveLength(1);
});

test("repeated-order: forgets orders of long ago rather than grow without end", () => {
  const others = Array.from({ length: 10_000 }, (_, index) =>
    accepted(`other ${index}`, 1, { order: airtime(10 + index) }),
  );
  const events = [accepted("one", 0, { order: airtime(9) }), ...others, accepted("two", 2, { order: airtime(9) })];

  expect(observationsOf("repeated-order", events)).toEqual([]);
});

test("repeated-order: excuses a retry after the balance could tell that the first was not accepted", () => {
  const later = [cut("one", 0), queried("details", 5), accepted("two", 10)];
  const atOnce = [cut("one", 0), queried("details", 0), accepted("two", 10)];

  expect(observationsOf("repeated-order", later)).toEqual([]);
  expect(observationsOf("repeated-order", atOnce)).toEqual([]);
});
