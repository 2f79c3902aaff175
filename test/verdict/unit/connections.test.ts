import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import {
  accepted,
  acceptedAfterCallback,
  after,
  appliedRules,
  clientLeft,
  observationsOf,
  queried,
  refused,
  request,
  unread,
} from "../../support/finding-events.ts";

const hanging = accepted("a", 0, { rules: appliedRules({ breakage: "hang" }) });

test("waits-forever: sees a client that still waits when any other would have given up", () => {
  const seen = observationsOf("waits-forever", [
    hanging,
    { kind: "client-waits", at: after(32), requestId: "a", waited: 32_000 },
  ]);

  expect(seen).toEqual([
    {
      subject: "",
      seen: "32.0 s after its request, the client is still waiting for an answer that never comes.",
      exchanges: [request("a")],
    },
  ]);
});

test("waits-forever: says nothing about a client that leaves before that", () => {
  const seen = observationsOf("waits-forever", [hanging, clientLeft("a", 30, 30_000)]);

  expect(seen).toEqual([]);
});

const first = { isFirstOnConnection: true } as const;

const opening = (count: number, apart: number): AccountEvent[] =>
  Array.from({ length: count }, (_, index) => accepted(`${index}`, index * apart, { traits: first }));

test("new-connections: sees twenty in a row that could have used the connection before", () => {
  const seen = observationsOf("new-connections", opening(21, 0.5));

  expect(seen).toMatchObject([
    { subject: "connections", seen: "21 requests in a row each came over a new connection." },
  ]);
  expect(seen[0]?.exchanges).toEqual(["16", "17", "18", "19", "20"].map(request));
});

test.each<[string, readonly AccountEvent[], number]>([
  ["sees a thousand, however fast they come", opening(1_000, 0.001), 1],
  [
    "sees requests that were refused on new connections",
    Array.from({ length: 21 }, (_, index) => refused(`${index}`, index, { code: 402, traits: first })),
    1,
  ],
  ["says it once as long as it goes on", opening(200, 0.5), 1],
])("new-connections: %s", (_, events, count) => {
  expect(observationsOf("new-connections", events)).toHaveLength(count);
});

test.each([
  ["5 ms apart, when the connection before is free", opening(21, 0.005), 1],
  ["4 ms apart, when it is not free yet", opening(21, 0.004), 0],
  ["4.005 s apart, when it is still open", opening(21, 4.005), 1],
  ["4.006 s apart, when it may have been closed", opening(21, 4.006), 0],
])("new-connections: of requests %s", (_, events, count) => {
  expect(observationsOf("new-connections", events)).toHaveLength(count);
});

test("new-connections: says it once, whenever the next connection is opened", () => {
  const later = accepted("later", 100, { traits: first });

  expect(observationsOf("new-connections", [...opening(21, 0.5), later])).toHaveLength(1);
});

const slow = appliedRules({ ack: { delay: 2_000 } });
const broken = appliedRules({ breakage: "reset" });

test.each([
  ["there are few", opening(20, 0.5)],
  ["a pool fills up under load", opening(200, 0.001)],
  ["idle connections were closed between them", opening(100, 60)],
  ["one of them used a connection again", [...opening(15, 0.5), accepted("again", 7.5), ...opening(15, 0.5)]],
  [
    "the connection before was still waiting",
    Array.from({ length: 50 }, (_, index) => accepted(`${index}`, index, { traits: first, rules: slow })),
  ],
  [
    "a scenario broke each connection",
    Array.from({ length: 50 }, (_, index) => accepted(`${index}`, index, { traits: first, rules: broken })),
  ],
  [
    "each acknowledgment waited for the callback before it",
    Array.from({ length: 50 }, (_, index) => ({ ...acceptedAfterCallback(`${index}`, index), traits: first })),
  ],
  [
    "the gateway closed each after too large a body",
    Array.from({ length: 50 }, (_, index) => refused(`${index}`, index, { code: 413, traits: first })),
  ],
  ["there are no connections, in process", Array.from({ length: 2_000 }, (_, index) => accepted(`${index}`, index))],
])("new-connections: accuses nobody when %s", (_, events) => {
  expect(observationsOf("new-connections", events)).toEqual([]);
});

const polls = (seconds: readonly number[]) => seconds.map((each) => queried(`at ${each}`, each));

test("details-polled: sees a timer that goes off every ten seconds", () => {
  const events = polls([0, 10, 20.1, 30.2, 40.2, 50.2]);

  const seen = observationsOf("details-polled", events);

  expect(seen).toEqual([
    {
      subject: "account-details",
      seen: "6 polls came within 50.2 s, one every 10.0 s.",
      exchanges: ["at 0", "at 10", "at 20.1", "at 30.2", "at 40.2", "at 50.2"].map(request),
    },
  ]);
});

test("details-polled: sees a timer among orders, and when it is refused", () => {
  const limited = unread("limited", 20, { code: 429, operation: "account-details" });
  const events = [...polls([0, 10]), accepted("order", 15), limited, ...polls([30, 40, 50])];

  expect(observationsOf("details-polled", events)).toHaveLength(1);
});

test.each<[string, readonly AccountEvent[], number]>([
  [
    "sees uneven polls once they have gone on for ten minutes",
    polls([0, 50, 80, 130, 180, 210, 260, 300, 350, 390, 440, 480, 530, 580, 600]),
    1,
  ],
  [
    "goes by wall time where the account's clock stands still",
    [0, 60, 120, 180, 240, 300, 360].map((seconds) => queried(`${seconds}`, 0, { traits: { wallAt: after(seconds) } })),
    0,
  ],
])("details-polled: %s", (_, events, count) => {
  expect(observationsOf("details-polled", events)).toHaveLength(count);
});

test("details-polled: goes by the last six polls", () => {
  const seen = observationsOf("details-polled", polls([0, 3, 10, 20, 30, 40, 50, 60]));

  expect(seen).toMatchObject([{ seen: "8 polls came within 60.0 s, one every 8,571 ms.", exchanges: { length: 6 } }]);
});

test("details-polled: begins again when the clock was put back", () => {
  const seen = observationsOf("details-polled", polls([1_000, 1_010, 1_020, 0, 10, 20, 30, 40, 50]));

  expect(seen).toMatchObject([{ seen: "6 polls came within 50.0 s, one every 10.0 s." }]);
});

test.each([
  ["every tenth of a second", [0, 0.1, 0.2, 0.3, 0.4, 0.5], 1],
  ["a little more often", [0, 0.099, 0.198, 0.297, 0.396, 0.495], 0],
  ["with a tenth of unevenness", [0, 10, 21, 31, 41, 51], 1],
  ["with a little more than a tenth", [0, 10, 21.001, 31, 41, 51], 0],
])("details-polled: of polls %s", (_, seconds, count) => {
  expect(observationsOf("details-polled", polls(seconds))).toHaveLength(count);
});

test.each([
  ["a person asks three times", polls([0, 4, 9])],
  ["a test asks before and after each order", polls([0, 0.4, 1.9, 2.1, 4.4, 4.9, 6, 8.3])],
  ["a timer goes off once a minute", polls([0, 60, 120, 180, 240, 300, 360, 420, 480, 540, 600, 660])],
  ["a load test asks as fast as it can", polls(Array.from({ length: 100 }, (_, index) => index / 200))],
  [
    "it is refused with 401, which a backend asks for until its credentials work",
    [0, 10, 20, 30, 40, 50, 60].map((seconds) =>
      unread(`${seconds}`, seconds, { code: 401, operation: "account-details" }),
    ),
  ],
  ["pauses lie between", polls([0, 10, 20, 90, 100, 110, 200, 210, 220])],
  ["it is orders that come evenly", [0, 10, 20, 30, 40, 50, 60].map((seconds) => accepted(`${seconds}`, seconds))],
])("details-polled: accuses nobody when %s", (_, events) => {
  expect(observationsOf("details-polled", events)).toEqual([]);
});
