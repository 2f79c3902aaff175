import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { sentAfter402 } from "../../../src/verdict/checks/sent-after-402.ts";
import {
  accepted,
  after,
  queried,
  refused,
  request,
  settled,
  observationsOf,
  toppedUp,
} from "../../support/finding-events.ts";
import { airtime, sms } from "../../support/gateway/world.ts";

const poor = (requestId: string, seconds: number, shillings = 50) =>
  refused(requestId, seconds, { code: 402, order: airtime(shillings) });

test("sees orders that go on after 402", () => {
  const events = [poor("one", 0), poor("two", 2), poor("three", 4, 80), poor("four", 6)];

  const seen = observationsOf(sentAfter402, events);

  expect(seen).toEqual([
    {
      subject: "airtime",
      seen: "4 orders (airtime), none smaller than the first, were refused with 402 in 6,000 ms, and nobody checked the balance.",
      exchanges: [request("one"), request("four")],
    },
  ]);
});

test("sees messages that go on after 402, whatever their texts", () => {
  const events = [0, 2, 4, 6].map((seconds) =>
    refused(`${seconds}`, seconds, { code: 402, order: sms(`Text ${seconds}`) }),
  );

  expect(observationsOf(sentAfter402, events)).toMatchObject([{ subject: "sms" }]);
});

test("smaller orders that go through mend nothing for the larger", () => {
  const events = [
    poor("one", 0),
    small("a", 1),
    poor("two", 2),
    small("b", 3),
    poor("three", 4),
    small("c", 5),
    poor("four", 6),
  ];

  expect(observationsOf(sentAfter402, events)).toHaveLength(1);
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
  ["three are refused", [poor("one", 0), poor("two", 2), poor("three", 4)]],
  [
    "all were under way when the first was answered",
    Array.from({ length: 50 }, (_, index) => poor(`${index}`, index / 50)),
  ],
  [
    "each is smaller than the last",
    [90, 70, 50, 30, 20, 10].map((shillings, index) => poor(`${index}`, index * 2, shillings)),
  ],
  ["the balance was asked for", between(queried("balance", 3.5))],
  ["money came in", between(toppedUp(3.5, 10))],
  ["the wallet was set", between({ kind: "wallet-set", at: after(3.5), available: cents(1) })],
  ["a failed order gave its money back", between(settled("before", 3.5, { outcome: "failed" }))],
  ["an order as large went through", between(accepted("good", 3.5))],
  ["the refusals are of another kind", [0, 2, 4, 6].map((seconds) => refused(`${seconds}`, seconds, { code: 403 }))],
  ["ten minutes pass between them", [poor("one", 0), poor("two", 700), poor("three", 1_400), poor("four", 2_100)]],
])("accuses nobody when %s", (_, events) => {
  expect(observationsOf(sentAfter402, events)).toEqual([]);
});

test("airtime and messages are counted apart", () => {
  const events = [
    poor("one", 0),
    cheap("two", 2),
    poor("three", 3),
    cheap("four", 4),
    poor("five", 5),
    cheap("six", 6),
  ];

  expect(observationsOf(sentAfter402, events)).toEqual([]);
});

function small(requestId: string, seconds: number): AccountEvent {
  return accepted(requestId, seconds, { order: airtime(5) });
}

function cheap(requestId: string, seconds: number): AccountEvent {
  return refused(requestId, seconds, { code: 402, order: sms("Karibu") });
}
