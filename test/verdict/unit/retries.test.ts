import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
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
  unread,
} from "../../support/finding-events.ts";
import { airtime } from "../../support/gateway/world.ts";

const failed = (requestId: string, seconds: number, code: 422 | 429 | 500 = 500) =>
  refused(requestId, seconds, { code });

test("no-back-off: sees three retries at once", () => {
  const events = [failed("one", 0), failed("two", 0.01), failed("three", 0.02), accepted("four", 0.05)];

  const seen = observationsOf("no-back-off", events);

  expect(seen).toEqual([
    {
      subject: "after a 500",
      seen: "A retry came 30 ms after a 500, as retry 3; the last three waited 50 ms together.",
      exchanges: [request("one"), request("two"), request("three"), request("four")],
    },
  ]);
});

test.each<[string, readonly AccountEvent[], string]>([
  [
    "sees retries whose waits do not grow",
    [failed("one", 0, 429), failed("two", 1, 429), failed("three", 2.01, 429), failed("four", 3.02, 429)],
    "A retry came 1,010 ms after a 429, as retry 3; the last three waited evenly, 1,000 ms to 1,010 ms.",
  ],
  [
    "sees that Retry-After was not waited for, twice in a row",
    [0, 2, 6].map((seconds) => unread(`${seconds}`, seconds, { code: 429, retryAt: after(30) })),
    "A retry came 4,000 ms after a 429 whose Retry-After asked for 28 s, and 2 in a row did so.",
  ],
])("no-back-off: %s, in words", (_, events, words) => {
  expect(observationsOf("no-back-off", events)).toMatchObject([{ seen: expect.stringContaining(words) }]);
});

test("no-back-off: sees retries at once after a broken connection", () => {
  const lost = accepted("two", 0.01, { rules: appliedRules({ breakage: "empty" }) });
  const events = [cut("one", 0), lost, cut("three", 0.02), cut("four", 0.03)];

  expect(observationsOf("no-back-off", events)).toMatchObject([
    { subject: "after its answer was lost (connection reset)" },
  ]);
});

test.each([
  ["an accepted order that a proxy seemed to refuse", { status: 502, body: "<html>" }, "after a 502"],
  ["an accepted order that the gateway seemed to refuse", { status: 429, body: '{"status_code":429}' }, "after a 429"],
])("no-back-off: sees retries at once of %s", (_, ack, subject) => {
  const rules = appliedRules({ ack: { delay: 0, ...ack } });
  const events = [0, 0.01, 0.02, 0.03].map((seconds) => accepted(`${seconds}`, seconds, { rules }));

  expect(observationsOf("no-back-off", events)).toMatchObject([{ subject }]);
});

test("no-back-off: sees retries of a refusal that a scenario chose, whatever was accepted between them", () => {
  const chosen = { code: 429, operation: "account-details", rules: appliedRules() } as const;
  const events = [0, 0.02, 0.04, 0.06].flatMap((seconds) => [
    unread(`limited ${seconds}`, seconds, chosen),
    accepted(`taken ${seconds}`, seconds + 0.01, { order: airtime(60) }),
  ]);

  expect(observationsOf("no-back-off", events)).toMatchObject([{ subject: "after a 429" }]);
});

test("no-back-off: counts the wait from the answer where that was slow", () => {
  const slow = appliedRules({ ack: { delay: 5_000 } });
  const events = [0, 5.01, 10.02, 15.03].map((seconds) => refused(`${seconds}`, seconds, { code: 500, rules: slow }));

  const [observation] = observationsOf("no-back-off", events);

  expect(observation?.seen).toContain("the last three waited 30 ms together");
});

test("no-back-off: goes by wall time where the account's clock stands still", () => {
  expect(observationsOf("no-back-off", [0, 1, 3, 7].map(standingStill))).toEqual([]);
  expect(observationsOf("no-back-off", [0, 1, 2, 3].map(standingStill))).toHaveLength(1);
});

test.each<[string, readonly AccountEvent[], number]>([
  [
    "sees retries of an order at once, whatever else is accepted between them",
    [0, 0.02, 0.04, 0.06].flatMap((seconds) => [
      failed(`failed ${seconds}`, seconds),
      accepted(`taken ${seconds}`, seconds + 0.01, { order: airtime(60) }),
    ]),
    1,
  ],
  ["sees retries within one millisecond", ["one", "two", "three", "four"].map((requestId) => failed(requestId, 0)), 1],
  [
    "sees that a Retry-After of an hour was not waited for",
    [0, 600, 1_200].map((seconds) => unread(`${seconds}`, seconds, { code: 429, retryAt: after(3_600) })),
    1,
  ],
  [
    "a rate limit that let others through in between was not hammered",
    [0, 2, 4, 6, 8].flatMap((seconds) => [
      unread(`limited ${seconds}`, seconds, { code: 429 }),
      accepted(`taken ${seconds}`, seconds + 1),
    ]),
    0,
  ],
  [
    "a rate limit that answered the balance in between was not hammered",
    [0, 2, 4, 6, 8].flatMap((seconds) => [
      unread(`limited ${seconds}`, seconds, { code: 429 }),
      queried(`answered ${seconds}`, seconds + 1),
    ]),
    0,
  ],
])("no-back-off: %s", (_, events, count) => {
  expect(observationsOf("no-back-off", events)).toHaveLength(count);
});

test("no-back-off: a third retry that succeeds counts as a retry, too", () => {
  const { content } = queried("balance", 0);
  const limited = { code: 429, operation: "account-details", content, rules: appliedRules() } as const;
  const events = [0, 0.01, 0.02].map((seconds) => unread(`${seconds}`, seconds, limited));

  expect(observationsOf("no-back-off", [...events, queried("balance", 0.03)])).toHaveLength(1);
});

test("no-back-off: goes by the last three retries", () => {
  const events = [0, 20, 40, 40.01, 40.02, 40.03].map((seconds) => failed(`at ${seconds}`, seconds));

  expect(observationsOf("no-back-off", events)).toMatchObject([
    {
      seen: "A retry came 10 ms after a 500, as retry 5; the last three waited 30 ms together.",
      exchanges: ["at 40", "at 40.01", "at 40.02", "at 40.03"].map(request),
    },
  ]);
});

test.each([
  ["99 ms together", [0, 0.01, 0.03, 0.099], 1],
  ["100 ms together", [0, 0.01, 0.03, 0.1], 0],
  ["waits that grow by a quarter", [0, 1, 2, 3.25], 1],
  ["waits that grow by more than a quarter", [0, 1, 2, 3.251], 0],
  ["even waits of less than ten seconds", [0, 9.999, 19.998, 29.997], 1],
  ["even waits of ten seconds", [0, 10, 20, 30], 0],
])("no-back-off: of three retries after %s", (_what, moments, count) => {
  const events = moments.map((seconds) => failed(`${seconds}`, seconds));

  expect(observationsOf("no-back-off", events)).toHaveLength(count);
});

const doubling = [0, 0.1, 0.3, 0.7, 1.5, 3.1];

test.each([
  [
    "a client was left hanging, and gives up each time",
    [0, 2, 4, 6].map((seconds) => cut(`${seconds}`, seconds, { breakage: "hang" })),
  ],
  ["one retry is quick", [failed("one", 0), accepted("two", 0.001)]],
  ["the waits double", doubling.map((seconds) => failed(`${seconds}`, seconds))],
  ["the waits vary as full jitter makes them", [0, 0.7, 1.0, 4.4, 5.8].map((seconds) => failed(`${seconds}`, seconds))],
  ["the refusals will not pass", [0, 1, 2, 3].map((seconds) => failed(`${seconds}`, seconds, 422))],
  [
    "each is another order",
    [0, 1, 2, 3].map((index) => refused(`${index}`, index, { code: 500, order: airtime(10 + index) })),
  ],
  [
    "a success lies between them",
    [
      failed("one", 0),
      accepted("two", 1),
      failed("three", 2),
      accepted("four", 3),
      failed("five", 4),
      accepted("six", 5),
    ],
  ],
  [
    "Retry-After was waited for",
    [0, 30, 60].map((seconds) => unread(`${seconds}`, seconds, { code: 429, retryAt: after(seconds + 30) })),
  ],
  [
    "Retry-After was not waited for, and the next request came long after",
    [0, 600.001, 1_200.002].map((seconds) => unread(`${seconds}`, seconds, { code: 429, retryAt: after(3_600) })),
  ],
  [
    "Retry-After was waited for while the account's clock stood still",
    [0, 30, 60].map((seconds) =>
      unread(`${seconds}`, 0, { code: 429, retryAt: after(30), traits: { wallAt: after(seconds) } }),
    ),
  ],
  [
    "all were sent before the first was answered",
    [0, 0.01, 0.02, 0.03, 0.04].map((seconds) =>
      refused(`${seconds}`, seconds, { code: 500, rules: appliedRules({ ack: { delay: 5_000 } }) }),
    ),
  ],
  ["the balance was answered each time", [0, 1, 2, 3].map((seconds) => queried(`${seconds}`, seconds))],
])("no-back-off: accuses nobody when %s", (_, events) => {
  expect(observationsOf("no-back-off", events)).toEqual([]);
});

test("no-back-off: a client on a faster clock has waited long enough when the account's clock says so", () => {
  const later = [limitedOnFastClock(0), limitedOnFastClock(40), limitedOnFastClock(120)];
  const onTime = [limitedOnFastClock(0), limitedOnFastClock(30), limitedOnFastClock(60)];

  expect(observationsOf("no-back-off", later)).toEqual([]);
  expect(observationsOf("no-back-off", onTime)).toEqual([]);
});

function standingStill(seconds: number): AccountEvent {
  return refused(`${seconds}`, 0, { code: 500, traits: { wallAt: after(seconds) } });
}

function limitedOnFastClock(seconds: number): AccountEvent {
  const wallAt = after(seconds / 100);
  return unread(`${seconds}`, seconds, { code: 429, retryAt: after(seconds + 30), traits: { wallAt } });
}

const burst = { requests: 3, per: 1_000 };

test("requests-burst: sees the first request past the stated rate, of whatever kind", () => {
  const events = [
    accepted("one", 0),
    queried("two", 0.1),
    refused("three", 0.2, { code: 402 }),
    cut("four", 0.34),
    accepted("five", 0.4),
  ];

  const seen = observationsOf("requests-burst", events, { burst });

  expect(seen).toEqual([
    {
      subject: "3 in 1,000 ms",
      seen: "More than 3 requests came within 1,000 ms: the next one 340 ms after the first.",
      exchanges: [request("one"), request("four")],
    },
  ]);
});

test("requests-burst: sees each burst once", () => {
  const events = [0, 0.1, 0.2, 0.3, 0.4, 5, 5.1, 5.2, 5.3, 5.4].map((seconds) => accepted(`${seconds}`, seconds));

  expect(observationsOf("requests-burst", events, { burst })).toHaveLength(2);
});

test("requests-burst: sees requests of one millisecond", () => {
  const events = ["one", "two", "three", "four"].map((requestId) => accepted(requestId, 0));

  expect(observationsOf("requests-burst", events, { burst })).toHaveLength(1);
});

test("requests-burst: goes by wall time where the account's clock stands still", () => {
  const events = [0, 1, 2, 3].map((seconds) => accepted(`${seconds}`, 0, { traits: { wallAt: after(seconds) } }));

  expect(observationsOf("requests-burst", events, { burst })).toEqual([]);
});

test.each<[string, readonly AccountEvent[], number]>([
  ["says nothing where no rate is stated", Array.from({ length: 1_000 }, (_, index) => accepted(`${index}`, 0)), 0],
])("requests-burst: %s", (_, events, count) => {
  expect(observationsOf("requests-burst", events)).toHaveLength(count);
});

test.each([
  ["the clock was put back", [5, 5.1, 4, 4.1, 4.2].map((seconds) => accepted(`${seconds}`, seconds))],
  ["the rate is kept", [0, 0.3, 0.6, 1, 1.3, 1.6, 2].map((seconds) => accepted(`${seconds}`, seconds))],
  [
    "other events come between",
    [accepted("one", 0), accepted("two", 0), accepted("three", 0), settled("one", 0), settled("two", 0)],
  ],
])("requests-burst: accuses nobody when %s", (_, events) => {
  expect(observationsOf("requests-burst", events, { burst })).toEqual([]);
});
