import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { newConnections } from "../../../src/verdict/checks/new-connections.ts";
import { accepted, appliedRules, refused, observationsOf } from "../../support/finding-events.ts";

const first = { isFirstOnConnection: true } as const;

const opening = (count: number, apart: number): AccountEvent[] =>
  Array.from({ length: count }, (_, index) => accepted(`${index}`, index * apart, { traits: first }));

test("sees twenty in a row that could have used the connection before", () => {
  const seen = observationsOf(newConnections, opening(21, 0.5));

  expect(seen).toMatchObject([
    { subject: "connections", seen: "21 requests in a row each came over a new connection." },
  ]);
  expect(seen[0]?.exchanges.at(-1)).toEqual({ kind: "request", requestId: "20" });
});

test("sees a thousand, however fast they come", () => {
  expect(observationsOf(newConnections, opening(1_000, 0.001))).toHaveLength(1);
});

test("says it once as long as it goes on", () => {
  expect(observationsOf(newConnections, opening(200, 0.5))).toHaveLength(1);
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
])("accuses nobody when %s", (_, events) => {
  expect(observationsOf(newConnections, events)).toEqual([]);
});
