import { expect, test } from "vitest";
import type { Attempted } from "../../../src/gateway/account/events.ts";
import { slowReceiver } from "../../../src/verdict/checks/slow-receiver.ts";
import { answered, attempted, callback, observationsOf } from "../../support/finding-events.ts";

const URL = "http://localhost:3000/hooks/airtime";

test("sees a receiver that takes longer than a second for more than one callback in twenty", () => {
  const seen = observationsOf(slowReceiver, [...many(18), slow("a", 1_204), slow("b", 2_300)]);

  expect(seen).toEqual([
    {
      subject: URL,
      seen: `${URL} took longer than 1,000 ms for 2 of 20 callbacks in a row; the 95th percentile is 1,204 ms.`,
      exchanges: [callback("a"), callback("b")],
    },
  ]);
});

test("sees it again in the next twenty, and not before", () => {
  const block = Array.from({ length: 20 }, (_, index) => slow(`a${index}`, 1_500));
  const next = Array.from({ length: 20 }, (_, index) => slow(`b${index}`, 1_500));

  const beforeTheNext = observationsOf(slowReceiver, [...block, ...next.slice(1)]);
  const withTheNext = observationsOf(slowReceiver, [...block, ...next]);

  expect([beforeTheNext.length, withTheNext.length]).toEqual([1, 2]);
});

test.each<[string, readonly Attempted[]]>([
  ["nineteen slow answers", Array.from({ length: 19 }, (_, index) => slow(`a${index}`, 2_000))],
  ["one slow answer in twenty", [...many(19), slow("a", 2_900)]],
  ["answers of a second exactly", Array.from({ length: 20 }, (_, index) => slow(`a${index}`, 1_000))],
  [
    "bodies that drip in",
    Array.from({ length: 40 }, (_, index) => slow(`a${index}`, 2_000, { scripted: { slow_drip: true } })),
  ],
  ["failures", Array.from({ length: 40 }, (_, index) => slow(`a${index}`, 2_000, { outcome: answered(500) }))],
  ["ten slow answers each of two URLs", [...tenTo("http://localhost:3000/one"), ...tenTo("http://localhost:3000/two")]],
])("says nothing about %s", (_, events) => {
  const seen = observationsOf(slowReceiver, events);

  expect(seen).toEqual([]);
});

function many(count: number): Attempted[] {
  return Array.from({ length: count }, (_, index) => attempted(`quick ${index}`, index));
}

function slow(requestId: string, millis: number, changes: Partial<Attempted> = {}): Attempted {
  return attempted(requestId, 100, { millis, ...changes });
}

function tenTo(url: string): Attempted[] {
  return Array.from({ length: 10 }, (_, index) => slow(`${url} ${index}`, 2_000, { url }));
}
