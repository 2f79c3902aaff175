import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import type { AppliedRules } from "../../../src/gateway/scenario/effects/applied-rules.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import {
  accepted,
  after,
  appliedRules,
  cut,
  observationsOf,
  queried,
  refused,
  request,
  settled,
  toppedUp,
  unread,
} from "../../support/finding-events.ts";
import { airtime, sms } from "../../support/gateway/world.ts";

const wrong = (requestId: string, seconds: number) => unread(requestId, seconds, { code: 401, body: requestId });
const look = (seconds: number) => unread(`look ${seconds}`, seconds, { code: 401, operation: "account-details" });

test("sent-after-401: sees the third request that comes more than a second after the first 401", () => {
  const events = [wrong("one", 0), wrong("two", 10), wrong("three", 20), wrong("four", 30)];

  const seen = observationsOf("sent-after-401", events);

  expect(seen).toEqual([
    {
      subject: "consumer key and secret",
      seen: "4 requests in a row were refused with 401 in 30.0 s.",
      exchanges: [request("one"), request("four")],
    },
  ]);
});

/** Four that are refused, with something in the middle. */
const amid = (...mending: AccountEvent[]) => [
  wrong("one", 0),
  wrong("two", 2),
  ...mending,
  wrong("three", 4),
  wrong("four", 5),
];
const spaced = (pause: number) => [0, 1, 2, 3].map((index) => wrong(`${index}`, index * pause));

test.each<[string, readonly AccountEvent[], string[]]>([
  ["each one after that", [...amid(), wrong("five", 6)], ["one four", "one five"]],
  ["after ten minutes", spaced(600), ["0 3"]],
  ["not after more than ten minutes", spaced(600.001), []],
  ["not three tries of a person", [wrong("one", 0), wrong("two", 10), wrong("three", 20)], []],
  ["not what was under way at the first answer", Array.from({ length: 50 }, (_, at) => wrong(`${at}`, at / 50)), []],
  ["not two that come more than a second later", [0, 1, 1.001, 2].map((seconds) => wrong(`${seconds}`, seconds)), []],
  [
    "the run after credentials that were right again",
    [...amid(accepted("good", 3)), ...[7, 8, 9].map((at) => wrong(`${at}`, at))],
    ["three 9"],
  ],
  ["not once the balance was answered", amid(queried("good", 3)), []],
  ["not once another refusal shows that they are right", amid(refused("poor", 3, { code: 402 })), []],
  ["not once a scenario broke the connection", amid(cut("broken", 3)), []],
  ["though the carrier says something", amid(settled("before", 3)), ["one four"]],
  ["though an unknown path was called", amid(unread("lost", 3, { code: 404 })), ["one four"]],
  ["not refusals of another kind", [0, 2, 4, 6].map((seconds) => refused(`${seconds}`, seconds, { code: 403 })), []],
  ["not the same in words that are not the gateway's", spaced(2).map((one) => ({ ...one, answer: "<html>" })), []],
  ["not a check of account-details every ten seconds", [0, 10, 20, 30, 40].map(look), []],
  ["account-details sooner than that", [0, 9.999, 19.998, 29.997, 39.996].map(look), ["look 9.999 look 39.996"]],
])("sent-after-401: sees requests that go on after 401: %s", (_, events, seen) => {
  const exchanges = observationsOf("sent-after-401", events).map((one) => one.exchanges);

  expect(exchanges.map((some) => some.map(({ requestId }) => requestId).join(" "))).toEqual(seen);
});

const poor = (requestId: string, seconds: number, shillings = 50 + seconds) =>
  refused(requestId, seconds, { code: 402, order: airtime(shillings) });

test("sent-after-402: sees orders that go on after 402", () => {
  const events = [poor("one", 0), poor("two", 2), poor("three", 4, 80), poor("four", 6, 70)];

  const seen = observationsOf("sent-after-402", events);

  expect(seen).toEqual([
    {
      subject: "airtime",
      seen: "4 orders (airtime) were refused with 402 in 6,000 ms, and nobody checked the balance.",
      exchanges: [request("one"), request("four")],
    },
  ]);
});

test("sent-after-402: an order that succeeded frees no money", () => {
  expect(observationsOf("sent-after-402", between(settled("before", 3.5)))).not.toEqual([]);
});

test("sent-after-402: sees messages that go on after 402, whatever their texts", () => {
  const events = [0, 2, 4, 6].map((seconds) =>
    refused(`${seconds}`, seconds, { code: 402, order: sms(`Text ${seconds}`) }),
  );

  expect(observationsOf("sent-after-402", events)).toMatchObject([{ subject: "sms" }]);
});

const between = (mending: AccountEvent) => [
  poor("one", 0),
  poor("two", 2),
  poor("three", 3),
  mending,
  poor("four", 4),
  poor("five", 5),
];

test.each([
  [
    "it is the balance that is refused",
    [0, 2, 4, 6].map((seconds) => unread(`${seconds}`, seconds, { code: 402, operation: "account-details" })),
  ],
  ["three are refused", [poor("one", 0), poor("two", 2), poor("three", 4)]],
  [
    "all were under way when the first was answered",
    Array.from({ length: 50 }, (_, index) => poor(`${index}`, index / 50, 50 + index)),
  ],
  ["the balance was asked for", between(queried("balance", 3.5))],
  ["money came in", between(toppedUp(3.5, 10))],
  ["the wallet was set", between({ kind: "wallet-set", at: after(3.5), available: cents(1) })],
  ["a failed order gave its money back", between(settled("before", 3.5, { outcome: "failed" }))],
  ["an order as large went through", between(accepted("good", 3.5))],
  ["the refusals are of another kind", [0, 2, 4, 6].map((seconds) => refused(`${seconds}`, seconds, { code: 403 }))],
  ["they are of airtime and of messages", [0, 2, 4].flatMap((at) => [poor(`${at}`, at), cheap(`sms ${at}`, at + 1)])],
  ["ten minutes pass between them", [poor("one", 0), poor("two", 700), poor("three", 1_400), poor("four", 2_100)]],
])("sent-after-402: reports nothing when %s", (_, events) => {
  expect(observationsOf("sent-after-402", events)).toEqual([]);
});

test.each([402, 401] as const)("after %i, one order may be tried again three times", (code) => {
  const events = Array.from({ length: 5 }, (_, index) => refused(`${index}`, index * 0.8, { code }));
  const of = (tries: number): readonly unknown[] => observationsOf(`sent-after-${code}`, events.slice(0, tries));

  expect({ four: of(4).length, five: of(5).length }).toEqual({ four: 0, five: 1 });
});

function cheap(requestId: string, seconds: number): AccountEvent {
  return refused(requestId, seconds, { code: 402, order: sms("Karibu") });
}

test("sent-after-402: goes by what the client read, whether or not the orders were accepted", () => {
  const refused402 = appliedRules({ ack: { delay: 0, status: 402, body: '{"status_code":402}' } });
  const unclear = appliedRules({ ack: { delay: 0, status: 402, body: "<html>" } });

  expect(observationsOf("sent-after-402", answeredWith(refused402))).not.toEqual([]);
  expect(observationsOf("sent-after-402", answeredWith(unclear))).toEqual([]);
});

function answeredWith(rules: AppliedRules): AccountEvent[] {
  return [0, 2, 3, 4, 5].map((seconds) => accepted(`${seconds}`, seconds, { order: airtime(10 + seconds), rules }));
}
