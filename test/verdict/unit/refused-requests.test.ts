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

test("sent-after-401: sees each one after that", () => {
  const events = [wrong("one", 0), wrong("two", 2), wrong("three", 3), wrong("four", 4), wrong("five", 5)];

  const seen = observationsOf("sent-after-401", events);

  expect(seen.map(({ exchanges }) => exchanges[1])).toEqual([request("four"), request("five")]);
});

test("sent-after-401: a run after correct credentials is reported separately", () => {
  const before = [wrong("early", 0), wrong("early two", 2), accepted("good", 3)];
  const events = [...before, wrong("one", 10), wrong("two", 12), wrong("three", 14), wrong("four", 16)];

  const seen = observationsOf("sent-after-401", events);

  expect(seen).toMatchObject([
    {
      seen: "4 requests in a row were refused with 401 in 6,000 ms.",
      exchanges: [request("one"), request("four")],
    },
  ]);
});

test.each<[string, readonly AccountEvent[], number]>([
  [
    "account-details asked for in quick succession is no look any longer",
    [look(0), look(2), look(4), look(6), look(8)],
    1,
  ],
  [
    "ten minutes between them are no pause yet",
    [wrong("one", 0), wrong("two", 600), wrong("three", 1_200), wrong("four", 1_800)],
    1,
  ],
  [
    "account-details asked for in less than ten seconds is no check",
    [look(0), look(9.999), look(19.998), look(29.997), look(39.996)],
    1,
  ],
  [
    "what the carrier says between them mends nothing",
    [wrong("one", 0), wrong("two", 2), settled("before", 2), wrong("three", 3), wrong("four", 4)],
    1,
  ],
  [
    "requests for unknown paths between them mend nothing",
    [wrong("one", 0), wrong("two", 2), unread("lost", 2, { code: 404 }), wrong("three", 3), wrong("four", 4)],
    1,
  ],
  [
    "an answer that is not the gateway's own says nothing of the credentials",
    [0, 2, 3, 4, 5].map((seconds) => ({ ...wrong(`${seconds}`, seconds), answer: "<html>" })),
    0,
  ],
])("sent-after-401: %s", (_, events, count) => {
  expect(observationsOf("sent-after-401", events)).toHaveLength(count);
});

test.each([
  ["a person tries three times", [wrong("one", 0), wrong("two", 10), wrong("three", 20)]],
  [
    "all were under way when the first was answered",
    Array.from({ length: 50 }, (_, index) => wrong(`${index}`, index / 50)),
  ],
  [
    "an order between them was accepted",
    [wrong("one", 0), wrong("two", 2), accepted("good", 3), wrong("three", 4), wrong("four", 5)],
  ],
  [
    "the balance between them was answered",
    [wrong("one", 0), wrong("two", 2), queried("good", 3), wrong("three", 4), wrong("four", 5)],
  ],
  [
    "a refusal of another kind shows that the credentials are right",
    [wrong("one", 0), wrong("two", 2), refused("poor", 3, { code: 402 }), wrong("three", 4), wrong("four", 5)],
  ],
  [
    "a scenario broke the connection between them",
    [wrong("one", 0), wrong("two", 2), cut("broken", 3), wrong("three", 4), wrong("four", 5)],
  ],
  ["the refusals are of another kind", [0, 2, 4, 6, 8].map((seconds) => refused(`${seconds}`, seconds, { code: 403 }))],
  ["account-details is asked for every ten seconds", [0, 10, 20, 30, 40, 50].map((seconds) => look(seconds))],
  [
    "two come more than a second after the first",
    [wrong("one", 0), wrong("two", 1), wrong("three", 1.001), wrong("four", 2)],
  ],
  [
    "each comes a little more than ten minutes after the last",
    [wrong("one", 0), wrong("two", 600.001), wrong("three", 1_200.002), wrong("four", 1_800.003)],
  ],
  ["account-details is asked for now and then", [wrong("one", 0), ...[15, 30, 45, 60].map((seconds) => look(seconds))]],
  [
    "each comes more than ten minutes after the last",
    [wrong("one", 0), wrong("two", 700), wrong("three", 1_400), wrong("four", 2_100)],
  ],
])("sent-after-401: accuses nobody when %s", (_, events) => {
  expect(observationsOf("sent-after-401", events)).toEqual([]);
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
  ["ten minutes pass between them", [poor("one", 0), poor("two", 700), poor("three", 1_400), poor("four", 2_100)]],
])("sent-after-402: accuses nobody when %s", (_, events) => {
  expect(observationsOf("sent-after-402", events)).toEqual([]);
});

test.each([402, 401] as const)(
  "after %i, one order may be tried again three times, and never stops after ten",
  (code) => {
    const events = Array.from({ length: 12 }, (_, index) => refused(`${index}`, index * 0.8, { code }));
    const of = (tries: number): readonly unknown[] => observationsOf(`sent-after-${code}`, events.slice(0, tries));

    expect({ four: of(4).length, five: of(5).length }).toEqual({ four: 0, five: 1 });
    expect(of(11).at(-1)).not.toHaveProperty("severity");
    expect(of(12).at(-1)).toHaveProperty("severity", "defect");
  },
);

test.each<[string, readonly AccountEvent[], number]>([
  [
    "airtime and messages are counted apart",
    [poor("one", 0), cheap("two", 2), poor("three", 3), cheap("four", 4), poor("five", 5), cheap("six", 6)],
    0,
  ],
])("sent-after-402: %s", (_, events, count) => {
  expect(observationsOf("sent-after-402", events)).toHaveLength(count);
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
