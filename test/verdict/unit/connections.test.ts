import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import {
  accepted,
  after,
  appliedRules,
  clientLeft,
  observationsOf,
  refused,
  request,
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
    {
      subject: "connections",
      seen: "20 requests in a row each came over a new connection, although the one before was free.",
    },
  ]);
  expect(seen[0]?.exchanges.at(-1)).toEqual({ kind: "request", requestId: "20" });
});

test("new-connections: says it once as long as it goes on", () => {
  expect(observationsOf("new-connections", opening(200, 0.5))).toHaveLength(1);
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
    "the gateway closed each after too large a body",
    Array.from({ length: 50 }, (_, index) => refused(`${index}`, index, { code: 413, traits: first })),
  ],
  ["there are no connections, in process", Array.from({ length: 2_000 }, (_, index) => accepted(`${index}`, index))],
])("new-connections: accuses nobody when %s", (_, events) => {
  expect(observationsOf("new-connections", events)).toEqual([]);
});
