import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import type { Observation } from "../../../src/verdict/checks/check.ts";
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

type Make = (requestId: string, seconds: number) => AccountEvent;

/** An event at each of these seconds, called after them. */
const at = (seconds: readonly number[], make: Make): AccountEvent[] => seconds.map((one) => make(`${one}`, one));

const failed: Make = (requestId, seconds) => refused(requestId, seconds, { code: 500 });
const limited: Make = (requestId, seconds) => unread(requestId, seconds, { code: 429 });
const invalid: Make = (requestId, seconds) => refused(requestId, seconds, { code: 422 });
/** Asks to come back at a moment, or in so many seconds. */
const asking =
  (moment: number): Make =>
  (requestId, seconds) =>
    unread(requestId, seconds, { code: 429, retryAt: after(moment) });
const askingFor =
  (wait: number): Make =>
  (requestId, seconds) =>
    asking(seconds + wait)(requestId, seconds);
/** Accepted, with an answer that says something else. */
const answered =
  (ack: object): Make =>
  (requestId, seconds) =>
    accepted(requestId, seconds, { rules: appliedRules({ ack: { delay: 0, ...ack } }) });
const slowly =
  (make: typeof refused): Make =>
  (requestId, seconds) =>
    make(requestId, seconds, { code: 500, rules: appliedRules({ ack: { delay: 5_000 } }) });
/** On an account whose clock stands still. */
const still: Make = (requestId, seconds) => refused(requestId, 0, { code: 500, traits: { wallAt: after(seconds) } });
/** On an account whose clock is a hundred times as fast as the client's. */
const fast: Make = (requestId, seconds) =>
  unread(requestId, seconds, { code: 429, retryAt: after(seconds + 30), traits: { wallAt: after(seconds / 100) } });
/** With something else after each. */
const amid = (events: readonly AccountEvent[], make: Make): AccountEvent[] =>
  events.flatMap((event) => [event, make(`after ${event.at}`, (event.at - after(0)) / 1_000 + 0.01)]);

const AT_ONCE = [0, 0.02, 0.04, 0.06];
const DETAILS = { code: 429, operation: "account-details", rules: appliedRules() } as const;
const chosen: Make = (requestId, seconds) => unread(requestId, seconds, DETAILS);
const balance: Make = (requestId, seconds) =>
  unread(requestId, seconds, { ...DETAILS, content: queried("balance", 0).content });
const other: Make = (requestId, seconds) => accepted(requestId, seconds, { order: airtime(60) });

test.each<[string, readonly AccountEvent[], Partial<Observation>]>([
  [
    "at once",
    at([0, 0.01, 0.02, 0.05], failed),
    {
      subject: "after a 500",
      seen: "A retry came 30 ms after a 500, as retry 3; the last three waited 50 ms together.",
      exchanges: ["0", "0.01", "0.02", "0.05"].map(request),
    },
  ],
  [
    "whose waits do not grow",
    at([0, 1, 2.01, 3.02], limited),
    { seen: "A retry came 1,010 ms after a 429, as retry 3; the last three waited evenly, 1,000 ms to 1,010 ms." },
  ],
  [
    "before Retry-After, twice in a row",
    at([0, 2, 6], asking(30)),
    { seen: "A retry came 4,000 ms after a 429 whose Retry-After asked for 28 s, and 2 in a row did so." },
  ],
  ["before a Retry-After of an hour", at([0, 600, 1_200], asking(3_600)), {}],
  [
    "at once, counted from a slow answer",
    at([0, 5.01, 10.02, 15.03], slowly(refused)),
    { seen: expect.stringContaining("the last three waited 30 ms together") },
  ],
  [
    "after a broken connection",
    [...at([0, 0.01], cut), accepted("two", 0.02, { rules: appliedRules({ breakage: "empty" }) }), cut("four", 0.03)],
    { subject: "after its answer was lost (connection closed without an answer)" },
  ],
  [
    "of an order that a proxy seemed to refuse",
    at(AT_ONCE, answered({ status: 502, body: "<html>" })),
    { subject: "after a 502" },
  ],
  [
    "of an order that the gateway seemed to refuse",
    at(AT_ONCE, answered({ status: 429, body: '{"status_code":429}' })),
    { subject: "after a 429" },
  ],
  [
    "of a refusal that a scenario chose, beside other orders",
    amid(at(AT_ONCE, chosen), other),
    { subject: "after a 429" },
  ],
  ["of an order, beside other orders", amid(at(AT_ONCE, failed), other), {}],
  ["by wall time, where the account's clock stands still", at([0, 1, 2, 3], still), {}],
  ["within one millisecond", ["one", "two", "three", "four"].map((requestId) => failed(requestId, 0)), {}],
  ["of which the third succeeds", [...at([0, 0.01, 0.02], balance), queried("balance", 0.03)], {}],
  [
    "by the last three",
    at([0, 20, 40, 40.01, 40.02, 40.03], failed),
    { seen: expect.stringContaining("as retry 5;"), exchanges: ["40", "40.01", "40.02", "40.03"].map(request) },
  ],
  ["99 ms together", at([0, 0.01, 0.03, 0.099], failed), {}],
  ["that grow by a quarter", at([0, 1, 2, 3.25], failed), {}],
  ["evenly within ten seconds", at([0, 9.999, 19.998, 29.997], failed), {}],
])("no-back-off: sees retries %s", (_, events, seen) => {
  expect(observationsOf("no-back-off", events)).toMatchObject([seen]);
});

test.each<[string, readonly AccountEvent[]]>([
  ["three take 100 ms", at([0, 0.01, 0.03, 0.1], failed)],
  ["waits grow by more than a quarter", at([0, 1, 2, 3.251], failed)],
  ["even waits are of ten seconds", at([0, 10, 20, 30], failed)],
  ["waits grow on a clock that stands still", at([0, 1, 3, 7], still)],
  ["a client was left hanging, and gives up each time", at([0, 2, 4, 6], (id, s) => cut(id, s, { breakage: "hang" }))],
  ["two retries are quick", [failed("one", 0), failed("two", 0.001), accepted("three", 0.002)]],
  ["the waits double", at([0, 0.1, 0.3, 0.7, 1.5, 3.1], failed)],
  ["the waits vary as full jitter makes them", at([0, 0.7, 1.0, 4.4, 5.8], failed)],
  ["the refusals will not pass", at([0, 1, 2, 3], invalid)],
  ["each is another order", at([0, 1, 2, 3], (id, s) => refused(id, s, { code: 500, order: airtime(10 + s) }))],
  ["a success lies between them", amid(at([0, 2, 4], failed), (id, s) => accepted(id, s + 1))],
  ["Retry-After was waited for", at([0, 30, 60], askingFor(30))],
  ["Retry-After was overlooked once", at([0, 2, 30], asking(30))],
  ["the request past Retry-After came long after", at([0, 600.001, 1_200.002], asking(3_600))],
  [
    "Retry-After was waited for while the account's clock stood still",
    at([0, 30, 60], (id, s) => unread(id, 0, { code: 429, retryAt: after(30), traits: { wallAt: after(s) } })),
  ],
  ["Retry-After was waited for on a faster clock", at([0, 30, 60], fast)],
  ["it was waited for longer on a faster clock", at([0, 40, 120], fast)],
  ["all were sent before the first was answered", at([0, 0.01, 0.02, 0.03, 0.04], slowly(refused))],
  ["the first tries are long ago", at([0, 700, 1_400, 2_100], failed)],
  ["the balance was answered each time", at([0, 1, 2, 3], queried)],
  ["a rate limit let others through in between", amid(at([0, 2, 4, 6, 8], limited), accepted)],
  ["a rate limit answered the balance in between", amid(at([0, 2, 4, 6, 8], limited), queried)],
])("no-back-off: reports nothing when %s", (_, events) => {
  expect(observationsOf("no-back-off", events)).toEqual([]);
});

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

test.each<[string, readonly AccountEvent[], number]>([
  ["each burst once", at([0, 0.1, 0.2, 0.3, 0.4, 5, 5.1, 5.2, 5.3, 5.4], accepted), 2],
  ["requests of one millisecond", ["one", "two", "three", "four"].map((requestId) => accepted(requestId, 0)), 1],
  ["no burst in wall time", at([0, 1, 2, 3], (id, s) => accepted(id, 0, { traits: { wallAt: after(s) } })), 0],
  ["none when the clock was put back", at([5, 5.1, 4, 4.1, 4.2], accepted), 0],
  ["none when the rate is kept", at([0, 0.3, 0.6, 1, 1.3, 1.6, 2], accepted), 0],
  ["no results as requests", amid(at([0, 0.001, 0.002], accepted), settled), 0],
])("requests-burst: sees %s", (_, events, count) => {
  expect(observationsOf("requests-burst", events, { burst })).toHaveLength(count);
});

test("requests-burst: says nothing where no rate is stated", () => {
  const events = Array.from({ length: 1_000 }, (_, index) => accepted(`${index}`, 0));

  expect(observationsOf("requests-burst", events)).toEqual([]);
});
