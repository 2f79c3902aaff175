import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { noBackOff } from "../../../src/verdict/checks/no-back-off.ts";
import {
  accepted,
  after,
  clientLeft,
  cut,
  appliedRules,
  queried,
  refused,
  request,
  observationsOf,
  unread,
} from "../../support/finding-events.ts";
import { airtime } from "../../support/gateway/world.ts";

const failed = (requestId: string, seconds: number, code: 422 | 429 | 500 = 500) =>
  refused(requestId, seconds, { code });

test("sees three retries at once", () => {
  const events = [failed("one", 0), failed("two", 0.01), failed("three", 0.02), accepted("four", 0.05)];

  const seen = observationsOf(noBackOff, events);

  expect(seen).toEqual([
    {
      subject: "after a 500",
      seen: "A retry came 30 ms after a 500, as retry 3; the last three waited 50 ms together.",
      exchanges: [request("one"), request("two"), request("three"), request("four")],
    },
  ]);
});

test("sees retries whose waits do not grow", () => {
  const events = [failed("one", 0, 429), failed("two", 1, 429), failed("three", 2.01, 429), failed("four", 3.02, 429)];

  const [observation] = observationsOf(noBackOff, events);

  expect(observation?.seen).toBe(
    "A retry came 1,010 ms after a 429, as retry 3; the last three waited evenly, 1,000 ms to 1,010 ms.",
  );
});

test("sees retries at once after a broken connection", () => {
  const lost = accepted("two", 0.01, { rules: appliedRules({ breakage: "empty" }) });
  const events = [cut("one", 0), lost, cut("three", 0.02), cut("four", 0.03)];

  expect(observationsOf(noBackOff, events)).toMatchObject([{ subject: "after its connection broke (reset)" }]);
});

test("counts the wait from when a client that was left hanging gave up", () => {
  const events = [
    hang("one", 0),
    clientLeft("one", 2),
    hang("two", 2.01),
    clientLeft("two", 4.01),
    hang("three", 4.02),
    clientLeft("three", 6.02),
    hang("four", 6.03),
  ];

  const [observation] = observationsOf(noBackOff, events);

  expect(observation?.seen).toBe(
    "A retry came 10 ms after its client had given up waiting, as retry 3; the last three waited 30 ms together.",
  );
});

test("counts the wait from the answer where that was slow", () => {
  const slow = appliedRules({ ack: { delay: 5_000 } });
  const events = [0, 5.01, 10.02, 15.03].map((seconds) => refused(`${seconds}`, seconds, { code: 500, rules: slow }));

  const [observation] = observationsOf(noBackOff, events);

  expect(observation?.seen).toContain("the last three waited 30 ms together");
});

test("sees retries at once of a client that left before a late acknowledgment", () => {
  const events = [
    late("one", 0),
    clientLeft("one", 2),
    late("two", 2),
    clientLeft("two", 4),
    late("three", 4),
    clientLeft("three", 6),
    late("four", 6),
  ];

  expect(observationsOf(noBackOff, events)).toMatchObject([{ subject: "after its client had given up waiting" }]);
});

test("sees that Retry-After was not waited for, twice in a row", () => {
  const events = [0, 2, 6].map((seconds) => unread(`${seconds}`, seconds, { code: 429, retryAt: after(30) }));

  const [observation] = observationsOf(noBackOff, events);

  expect(observation?.seen).toBe(
    "A retry came 4,000 ms after a 429 whose Retry-After asked for 28 s, and 2 in a row did so.",
  );
});

test("goes by wall time where the account's clock stands still", () => {
  expect(observationsOf(noBackOff, [0, 1, 3, 7].map(standingStill))).toEqual([]);
  expect(observationsOf(noBackOff, [0, 1, 2, 3].map(standingStill))).toHaveLength(1);
});

const doubling = [0, 0.1, 0.3, 0.7, 1.5, 3.1];

test.each([
  ["one retry is quick", [failed("one", 0), accepted("two", 0.001)]],
  ["two retries are quick", [failed("one", 0), failed("two", 0.001), accepted("three", 0.002)]],
  ["the waits double", doubling.map((seconds) => failed(`${seconds}`, seconds))],
  ["the waits vary as full jitter makes them", [0, 0.7, 1.0, 4.4, 5.8].map((seconds) => failed(`${seconds}`, seconds))],
  ["a job comes back each minute", [0, 60, 120, 180, 240].map((seconds) => failed(`${seconds}`, seconds))],
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
    "Retry-After was overlooked once",
    [0, 2, 30].map((seconds) => unread(`${seconds}`, seconds, { code: 429, retryAt: after(30) })),
  ],
  ["the first tries are long ago", [0, 700, 1_400, 2_100].map((seconds) => failed(`${seconds}`, seconds))],
  ["the balance was answered each time", [0, 1, 2, 3].map((seconds) => queried(`${seconds}`, seconds))],
])("accuses nobody when %s", (_, events) => {
  expect(observationsOf(noBackOff, events)).toEqual([]);
});

test("a client on a faster clock has waited long enough when the account's clock says so", () => {
  const events = [limitedOnFastClock(0), limitedOnFastClock(40), limitedOnFastClock(120)];

  expect(observationsOf(noBackOff, events)).toEqual([]);
});

test("a rate limit that let others through in between was not hammered", () => {
  const events = [0, 2, 4, 6, 8].flatMap((seconds) => [
    unread(`limited ${seconds}`, seconds, { code: 429 }),
    accepted(`taken ${seconds}`, seconds + 1),
  ]);

  expect(observationsOf(noBackOff, events)).toEqual([]);
});

test("sees a crowd that comes back in step", () => {
  const [observation] = observationsOf(
    noBackOff,
    crowd((index) => 2 + index / 1_000),
  );

  expect(observation?.subject).toBe("many requests in step");
  expect(observation?.seen).toBe(
    "20 different requests were sent again within 209 ms, all of them 2,000 ms to 2,019 ms after their failure.",
  );
});

test.each([
  ["each waited a time of its own", crowd((index) => 2 + index / 50)],
  ["they came back at once", crowd(() => 0.4)],
])("accuses no crowd when %s", (_, events) => {
  expect(observationsOf(noBackOff, events)).toEqual([]);
});

test("accuses no crowd that is spread by itself", () => {
  const events = Array.from({ length: 20 }, (_, index) => {
    const order = airtime(10 + index);
    return [
      refused(`first ${index}`, index * 10, { code: 500, order }),
      accepted(`retry ${index}`, index * 10 + 2, { order }),
    ];
  }).flat();

  expect(observationsOf(noBackOff, events)).toEqual([]);
});

function hang(requestId: string, seconds: number): AccountEvent {
  return cut(requestId, seconds, { breakage: "hang" });
}

function late(requestId: string, seconds: number): AccountEvent {
  return accepted(requestId, seconds, { rules: appliedRules({ ack: { delay: 10_000 } }) });
}

function standingStill(seconds: number): AccountEvent {
  return refused(`${seconds}`, 0, { code: 500, traits: { wallAt: after(seconds) } });
}

function limitedOnFastClock(seconds: number): AccountEvent {
  const wallAt = after(seconds / 100);
  return unread(`${seconds}`, seconds, { code: 429, retryAt: after(seconds + 30), traits: { wallAt } });
}

function crowd(retryAfter: (index: number) => number): AccountEvent[] {
  const orders = Array.from({ length: 20 }, (_, index) => airtime(10 + index));
  return [
    ...orders.map((order, index) => refused(`first ${index}`, index / 100, { code: 500, order })),
    ...orders.map((order, index) => accepted(`retry ${index}`, index / 100 + retryAfter(index), { order })),
  ];
}
