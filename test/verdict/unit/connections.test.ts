import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import type { Observation } from "../../../src/verdict/checks/check.ts";
import {
  accepted,
  acceptedAfterCallback,
  after,
  appliedRules,
  clientLeft,
  clientWaits,
  observationsOf,
  queried,
  refused,
  request,
  unread,
} from "../../support/finding-events.ts";

/** What happened, and what a check sees of it. */
type Row = [string, readonly AccountEvent[], readonly Partial<Observation>[]];

const HANGING = accepted("a", 0, { rules: appliedRules({ breakage: "hang" }) });

test("waits-forever: sees a client that still waits when any other would have given up", () => {
  expect(observationsOf("waits-forever", [HANGING, clientLeft("a", 30, 30_000)])).toEqual([]);
  expect(observationsOf("waits-forever", [HANGING, clientWaits("a", 32)])).toEqual([
    {
      subject: "",
      seen: "32.0 s after its request, the client is still waiting for an answer that never comes.",
      exchanges: [request("a")],
    },
  ]);
});

const FIRST = { traits: { isFirstOnConnection: true } } as const;

/** Requests so many seconds apart. */
const each = (count: number, apart: number, make: (id: string, seconds: number) => AccountEvent) =>
  Array.from({ length: count }, (_, index) => make(`${index}`, index * apart));
/** Each on a connection of its own. */
const opening = (count: number, apart: number, changes: Parameters<typeof accepted>[2] = {}) =>
  each(count, apart, (id, seconds) => accepted(id, seconds, { ...FIRST, ...changes }));
const scripted = (...rules: Parameters<typeof appliedRules>) => opening(50, 1, { rules: appliedRules(...rules) });

test.each<Row>([
  [
    "twenty in a row that could have used the connection before",
    opening(21, 0.5),
    [
      {
        subject: "connections",
        seen: "21 requests in a row each came over a new connection.",
        exchanges: ["16", "17", "18", "19", "20"].map(request),
      },
    ],
  ],
  ["a thousand, however fast they come", opening(1_000, 0.001), [{}]],
  ["requests when the connection before is free", opening(21, 0.005), [{}]],
  ["none when it is not free yet", opening(21, 0.004), []],
  ["requests when it is still open", opening(21, 4.005), [{}]],
  ["none when it may have been closed", opening(21, 4.006), []],
  ["requests that were refused", each(21, 1, (id, seconds) => refused(id, seconds, { code: 402, ...FIRST })), [{}]],
  ["them once, as long as it goes on", [...opening(200, 0.5), accepted("later", 200, FIRST)], [{}]],
  ["no few", opening(20, 0.5), []],
  ["no pool that fills up under load", opening(200, 0.001), []],
  ["none where one used a connection again", [...opening(15, 0.5), accepted("again", 7.5), ...opening(15, 0.5)], []],
  ["none while the connection before was waiting", scripted({ ack: { delay: 2_000 } }), []],
  ["none where a scenario broke each", scripted({ breakage: "reset" }), []],
  ["none that waited for a callback", each(50, 1, (id, s) => ({ ...acceptedAfterCallback(id, s), ...FIRST })), []],
  ["none after too large a body", each(50, 1, (id, seconds) => refused(id, seconds, { code: 413, ...FIRST })), []],
  ["none in process, without connections", each(2_000, 1, accepted), []],
])("new-connections: sees %s", (_, events, seen) => {
  expect(observationsOf("new-connections", events)).toMatchObject(seen);
});

const polls = (...seconds: readonly number[]) => seconds.map((at) => queried(`at ${at}`, at));
const limited = (seconds: number) => unread("limited", seconds, { code: 429, operation: "account-details" });
const unauthorized = (seconds: number) => unread(`${seconds}`, seconds, { code: 401, operation: "account-details" });
const UNEVEN = [0, 50, 80, 130, 180, 210, 260, 300, 350, 390, 440, 480, 530, 580];

test.each<Row>([
  [
    "a timer that goes off every ten seconds",
    polls(0, 10, 20.1, 30.2, 40.2, 50.2),
    [
      {
        subject: "account-details",
        seen: "6 polls came within 50.2 s, one every 10.0 s.",
        exchanges: ["at 0", "at 10", "at 20.1", "at 30.2", "at 40.2", "at 50.2"].map(request),
      },
    ],
  ],
  [
    "one among orders, and when it is refused",
    [...polls(0, 10), accepted("order", 15), limited(20), ...polls(30, 40, 50)],
    [{}],
  ],
  ["uneven polls once they have gone on for ten minutes", polls(...UNEVEN, 600), [{}]],
  [
    "the last six",
    polls(0, 3, 10, 20, 30, 40, 50, 60),
    [{ seen: expect.stringMatching(/^8 polls/), exchanges: [10, 20, 30, 40, 50, 60].map((at) => request(`at ${at}`)) }],
  ],
  [
    "them anew when the clock was put back",
    polls(1_000, 1_010, 1_020, 0, 10, 20, 30, 40, 50),
    [{ seen: expect.stringMatching(/^6 /) }],
  ],
  ["polls every tenth of a second", polls(0, 0.1, 0.2, 0.3, 0.4, 0.5), [{}]],
  ["none more often", polls(0, 0.099, 0.198, 0.297, 0.396, 0.495), []],
  ["a tenth of unevenness", polls(0, 10, 21, 31, 41, 51), [{}]],
  ["no more unevenness than that", polls(0, 10, 21.001, 31, 41, 51), []],
  ["none once a minute in wall time", each(7, 60, (id, s) => queried(id, 0, { traits: { wallAt: after(s) } })), []],
  ["no person who asks three times", polls(0, 4, 9), []],
  ["no test that asks before and after each order", polls(0, 0.4, 1.9, 2.1, 4.4, 4.9, 6, 8.3), []],
  ["no timer that goes off once a minute", each(12, 60, queried), []],
  ["no load test that asks as fast as it can", each(100, 0.005, queried), []],
  ["none with pauses between", polls(0, 10, 20, 90, 100, 110, 200, 210, 220), []],
  ["no orders that come evenly", each(7, 10, accepted), []],
  ["none that waits until its credentials work", [0, 10, 20, 30, 40, 50, 60].map(unauthorized), []],
])("details-polled: sees %s", (_, events, seen) => {
  expect(observationsOf("details-polled", events)).toMatchObject(seen);
});
