import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { type AppliedRules, BREAKAGES } from "../../../src/gateway/scenario/effects/applied-rules.ts";
import type { Observation } from "../../../src/verdict/checks/check.ts";
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

/** The first order, to which a scenario does something. */
const first = (changes: Partial<AppliedRules> = {}, order = airtime(50)) =>
  accepted("one", 0, { order, rules: appliedRules(changes) });
const second = (seconds: number, order = airtime(50)) => accepted("two", seconds, { order });
const acknowledgedAs = (status: number) => ({ ack: { delay: 0, status, body: `{"status_code":${status}}` } });

const ONE = accepted("one", 0);
const RESET = { breakage: "reset" } as const;
const LOST = first(RESET);
const HUNG = first({ breakage: "hang" });
const TEN_SECONDS = { ack: { delay: 10_000 } };
const SLOW = first(TEN_SECONDS);
const SUCCEEDED = settled("one", 1);
const FAILED = settled("one", 1, { outcome: "failed" });
/** The backend was told that the first succeeded. */
const OVER = [LOST, SUCCEEDED, attempted("one", 1)];
const NO_CALLBACK = settled("one", 1, { callback: { none: "no callback URL is registered" } });

const between = (one: string, two: string) => ({ exchanges: [request(one), request(two)] });
const said = (words: string) => ({ seen: expect.stringContaining(words) });

/** Equal orders whose wall time is so many minutes apart. */
function againAfter(minutes: number): AccountEvent[] {
  return [
    accepted("one", 0, { rules: appliedRules(RESET), traits: { wallAt: after(0) } }),
    settled("one", 0),
    attempted("one", 0),
    accepted("two", 0, { traits: { wallAt: after(minutes * 60) } }),
  ];
}

test.each<[string, readonly AccountEvent[], Partial<Observation>]>([
  [
    "after its answer was lost",
    [LOST, second(2.104)],
    {
      subject: "airtime 254712345678",
      seen: "KES 50.00 of airtime for 254712***678 was sold twice, 2,104 ms apart: the first got no answer: connection reset, and it was unresolved when the second came.",
      ...between("one", "two"),
    },
  ],
  ["after it had succeeded", [LOST, SUCCEEDED, second(30)], said("30.0 s apart: the first got no answer")],
  ["after its client had left", [ONE, clientLeft("one", 0.4, 400), second(0.41)], said("your client left after 400ms")],
  ["before word of the client's leaving", [HUNG, second(0.007), clientLeft("one", 0.01, 50)], between("one", "two")],
  ["once, whatever word comes later", [HUNG, second(1.5), clientLeft("one", 1.55, 1_550)], between("one", "two")],
  ["while its answer is due", [SLOW, second(5)], said("the answer to the first was still due after 10s")],
  ["once a client may first give up", [SLOW, second(1)], {}],
  ["just before its answer", [SLOW, second(9.999)], {}],
  ["up to a tenth of a second before its client leaves", [ONE, second(0.9), clientLeft("one", 1, 1_000)], {}],
  ...BREAKAGES.map((breakage): Seen => [`after ${breakage}`, [first({ breakage }), second(5)], {}]),
  ...[502, 302, 429].map((status): Seen => [
    `after HTTP ${status}`,
    [first({ ack: { delay: 0, status } }), second(5)],
    said(`answered with HTTP ${status}`),
  ]),
  ["after HTML", [first({ ack: { delay: 0, body: "<html>" } }), second(5)], said("with a body that is not JSON")],
  [
    "beside others that were not accepted",
    [LOST, refused("two", 1, { code: 429 }), cut("three", 2), accepted("four", 4)],
    between("one", "four"),
  ],
  ["ten minutes later in wall time", againAfter(10), {}],
  ["beside one that broke off", [...OVER, cut("two", 300), accepted("three", 400)], between("one", "three")],
  ["at the last moment", [...OVER, cut("two", 600), accepted("three", 600)], between("one", "three")],
  ["once, because the second was acknowledged", [LOST, second(2), accepted("three", 4)], between("one", "two")],
  [
    "of which an equal one before it failed",
    [ONE, accepted("two", 1, { rules: appliedRules(RESET) }), settled("one", 2, FAILED), accepted("three", 3)],
    between("two", "three"),
  ],
])("sold-twice: sees an order again %s", (_, events, seen) => {
  expect(observationsOf("sold-twice", events)).toMatchObject([seen]);
});

test("sold-twice: sees the same text again, and does not tell it", () => {
  const seen = observationsOf("sold-twice", [first(RESET, sms("Code 4821")), second(3, sms("Code 4821"))]);

  expect(seen).toMatchObject([{ subject: "sms 254712345678" }]);
  expect(seen[0]?.seen).not.toContain("4821");
});

type Seen = [string, readonly AccountEvent[], Partial<Observation>];

test.each<[string, readonly AccountEvent[]]>([
  ["the first was acknowledged", [ONE, second(2)]],
  ["the first failed", [LOST, FAILED, second(2)]],
  ["the first was refused", [refused("one", 0, { code: 500 }), second(2)]],
  ["the first broke before it was accepted", [cut("one", 0), second(2)]],
  ["the first has no callback to come, and is old", [LOST, NO_CALLBACK, second(660)]],
  ["more than ten minutes of wall time have passed", againAfter(10.1)],
  ["the order was clicked twice", [SLOW, second(0.999)]],
  ["the order was clicked twice and the client left both later", [SLOW, second(0.3), clientLeft("one", 5, 5_000)]],
  ["the late acknowledgment has come", [SLOW, second(10)]],
  ["the second was under way when the client left", [ONE, second(0.899), clientLeft("one", 1, 1_000)]],
  ["the amount differs", [LOST, second(2, airtime(60))]],
  ["the number differs", [LOST, second(2, airtime(50, "254711000001"))]],
  ["the text differs", [first(RESET, sms("Code 1")), second(2, sms("Code 2"))]],
  ["the sender differs", [first(RESET, sms("Hi")), second(2, sms("Hi", "254712345678", "20254"))]],
  ["the second was refused", [LOST, refused("two", 2, { code: 402 })]],
  [
    "the second was accepted and answered with a refusal",
    [LOST, { ...second(2), rules: appliedRules(acknowledgedAs(402)) }],
  ],
  ["a callback alone came again", [...OVER, attempted("one", 2)]],
])("sold-twice: reports nothing when %s", (_, events) => {
  expect(observationsOf("sold-twice", events)).toEqual([]);
});

test.each<[string, readonly AccountEvent[]]>([
  ["its success was reversed", [ONE, SUCCEEDED, reversed("one", 2), second(3), settled("two", 4)]],
  ...[402, 429, 500].map((code): [string, readonly AccountEvent[]] => [
    `it was accepted and answered with the refusal ${code}`,
    [first(acknowledgedAs(code)), { ...second(2), rules: appliedRules(acknowledgedAs(code)) }, accepted("three", 4)],
  ]),
])("an order may be sent again once %s", (_, events) => {
  expect([...observationsOf("sold-twice", events), ...observationsOf("repeated-order", events)]).toEqual([]);
});

test.each([
  ["the first failed", settled("one", 3, { outcome: "failed" })],
  ["the second failed", settled("two", 3, { outcome: "failed" })],
  ["the first was taken back", reversed("one", 3)],
])("sold-twice: is taken back once %s, and a risk is left", (because, later) => {
  const events = [LOST, second(2), settled("one", 2.5), later];

  expect(observationsOf("sold-twice", events.slice(0, -1))).toHaveLength(1);
  expect(observationsOf("sold-twice", events)).toEqual([]);
  expect(observationsOf("repeated-order", events)).toMatchObject([
    said(`it was not sold twice only because ${because}`),
  ]);
});

test.each([
  ["one", between("two", "three")],
  ["two", between("one", "three")],
  ["three", between("one", "two")],
])("sold-twice: holds as long as two of three are sold: %s fails", (failed, left) => {
  const rules = appliedRules(RESET);
  const events = [LOST, accepted("two", 2, { rules }), accepted("three", 4), settled(failed, 5, { outcome: "failed" })];

  expect(observationsOf("sold-twice", events)).toMatchObject([left]);
});

const EMPTY = first({ breakage: "empty" });
const STUCK = accepted("two", 0.3, { plan: { ...second(0).plan, settleAfter: "never" } });

test.each<[string, readonly AccountEvent[], Partial<Observation>]>([
  [
    "while it is unresolved",
    [ONE, second(1.5)],
    {
      subject: "airtime 254712345678",
      seen: "KES 50.00 of airtime for 254712***678 was sent again after 1,500 ms: the first had been acknowledged and was unresolved, and the second was accepted too.",
      ...between("one", "two"),
    },
  ],
  [
    "after a success that the backend has not acknowledged",
    [ONE, SUCCEEDED, attempted("one", 1, { outcome: answered(500) }), second(120)],
    said("sent again after 2.0 min: the first had been acknowledged and had succeeded"),
  ],
  ...[{ malformed: true }, { unknown_id: true }].map((scripted): Seen => [
    `after a callback that tells nothing: ${JSON.stringify(scripted)}`,
    [ONE, SUCCEEDED, attempted("one", 1, { scripted }), second(2)],
    {},
  ]),
  [
    "of an SMS",
    [accepted("one", 0, { order: sms("Karibu") }), second(0.02, sms("Karibu"))],
    said("An SMS of 6 characters from SANDBOX to 254712***678 was sent again after 20 ms"),
  ],
  [
    "after a broken connection",
    [cut("one", 0), second(3)],
    said("the first got no answer: connection reset; it had not"),
  ],
  [
    "before its answer",
    [SLOW, second(0.3), SUCCEEDED, settled("two", 1.3)],
    said("the first was not answered yet and"),
  ],
  ["before its answer, without a result to come", [SLOW, STUCK], {}],
  ["after its late answer", [SLOW, second(11)], said("the first had been acknowledged and was unresolved")],
  ["as the last that broke off", [...OVER, cut("two", 600.001), accepted("three", 601)], between("two", "three")],
  ["that is refused", [EMPTY, refused("two", 3, { code: 402 })], said("only because the second was refused (402)")],
  ["that breaks off", [EMPTY, cut("two", 3)], said("only because the second was not accepted")],
  ["after an earlier look at the balance", [queried("details", 0), cut("one", 1), second(10)], {}],
  [
    "after a look at the balance without an answer",
    [cut("one", 0), queried("details", 5, { rules: appliedRules(RESET) }), second(10)],
    {},
  ],
])("repeated-order: sees an order again %s", (_, events, seen) => {
  expect(observationsOf("repeated-order", events)).toMatchObject([seen]);
});

test.each([
  ["airtime five minutes later", airtime(50), 300, 1],
  ["airtime more than five minutes later", airtime(50), 300.001, 0],
  ["an SMS ten seconds later", sms("Karibu"), 10, 1],
  ["an SMS more than ten seconds later", sms("Karibu"), 10.001, 0],
  ["airtime in the same millisecond", airtime(50), 0, 1],
])("repeated-order: of %s", (_, order, later, count) => {
  expect(observationsOf("repeated-order", [accepted("one", 0, { order }), second(later, order)])).toHaveLength(count);
});

const RETRY = [SLOW, second(0.97), clientLeft("one", 1, 1_000), SUCCEEDED, settled("two", 2)];

test.each([
  ["after a lost acknowledgment", [EMPTY, second(1)]],
  ["before word of the client's leaving", RETRY],
])("repeated-order: leaves to sold-twice what was paid for twice %s", (_, events) => {
  expect(observationsOf("repeated-order", events)).toEqual([]);
  expect(observationsOf("sold-twice", events)).toHaveLength(1);
});

test.each<[string, readonly AccountEvent[]]>([
  ["the first was refused", [refused("one", 0, { code: 429 }), second(1)]],
  ["the first failed", [ONE, FAILED, second(2)]],
  ["the backend has acknowledged the success", [ONE, SUCCEEDED, attempted("one", 1), second(2)]],
  ["the second was refused and the first acknowledged", [ONE, refused("two", 1, { code: 402 })]],
  ["the gateway refused the second as a repeat", [EMPTY, refused("two", 1, { code: 422 })]],
  ["the clock was put back between them", [accepted("one", 10), second(5)]],
  ["the first broke off more than ten minutes before", [cut("one", 0), second(600.001)]],
  ["the second is refused before the first is answered", [SLOW, refused("two", 0.3, { code: 402 })]],
  ["nobody remembers the orders", [settled("unknown", 0), attempted("unknown", 1), clientLeft("unknown", 2)]],
  ["another customer buys the same", [ONE, second(1, airtime(50, "254711000001"))]],
  ["the balance was asked for twice", [queried("one", 0), queried("two", 1)]],
  ["the client left and nothing came after it", [ONE, clientLeft("one", 2)]],
  ["the balance told that the first was not accepted", [cut("one", 0), queried("details", 5), second(10)]],
  ["it told so at the same moment", [cut("one", 0), queried("details", 0), second(10)]],
])("repeated-order: reports nothing when %s", (_, events) => {
  expect(observationsOf("repeated-order", events)).toEqual([]);
});

test("repeated-order: forgets orders of long ago rather than grow without end", () => {
  const others = Array.from({ length: 10_000 }, (_, index) =>
    accepted(`other ${index}`, 1, { order: airtime(10 + index) }),
  );
  const events = [accepted("one", 0, { order: airtime(9) }), ...others, second(2, airtime(9))];

  expect(observationsOf("repeated-order", events)).toEqual([]);
});
