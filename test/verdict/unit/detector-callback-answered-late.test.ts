import { expect, test } from "vitest";
import { callbackAnsweredLate } from "../../../src/verdict/checks/callback-answered-late.ts";
import { acceptedAfterCallback, answered, attempted, callback, observationsOf } from "../../support/finding-events.ts";

const URL = "http://localhost:3000/hooks/airtime";

test("sees that no answer came in time", () => {
  const seen = observationsOf(callbackAnsweredLate, [
    attempted("a", 5, { outcome: { kind: "timed_out" }, millis: 3_001 }),
  ]);

  expect(seen).toEqual([{ subject: URL, seen: `${URL} gave no answer in 3,001 ms.`, exchanges: [callback("a")] }]);
});

test("sees an answer past the gateway's limit where the account's own is longer", () => {
  const seen = observationsOf(callbackAnsweredLate, [attempted("a", 5, { millis: 3_400 })]);

  expect(seen).toEqual([
    {
      subject: URL,
      seen: `${URL} answered 200 after 3,400 ms, past the limit of 3,000 ms.`,
      exchanges: [callback("a")],
    },
  ]);
});

test("sees the tries of one delivery once", () => {
  const outcome = { kind: "timed_out" } as const;

  const seen = observationsOf(callbackAnsweredLate, [
    attempted("a", 5, { outcome, millis: 3_000, retryAt: 9 }),
    attempted("a", 9, { outcome, millis: 3_000, attempt: 2 }),
    attempted("b", 9, { outcome, millis: 3_000 }),
  ]);

  expect(seen.map(({ exchanges }) => exchanges)).toEqual([[callback("a", 1)], [callback("b", 1)]]);
});

test.each([
  ["an answer just in time", attempted("a", 5, { millis: 3_000 })],
  ["a connection that was refused late", attempted("a", 5, { outcome: { kind: "refused" }, millis: 5_000 })],
  ["a callback that was abandoned late", attempted("a", 5, { outcome: { kind: "abandoned" }, millis: 5_000 })],
  ["a callback that broke off late", attempted("a", 5, { outcome: { kind: "broken_off" }, millis: 5_000 })],
  [
    "a body that dripped in",
    attempted("a", 5, { outcome: { kind: "timed_out" }, millis: 3_000, scripted: { slow_drip: true } }),
  ],
  [
    "a slow answer to a drip",
    attempted("a", 5, { outcome: answered(200), millis: 3_500, scripted: { slow_drip: true } }),
  ],
  [
    "a disconnect",
    attempted("a", 5, { outcome: { kind: "timed_out" }, millis: 3_000, scripted: { disconnect: true } }),
  ],
  [
    "malformed JSON",
    attempted("a", 5, { outcome: { kind: "timed_out" }, millis: 3_000, scripted: { malformed: true } }),
  ],
  [
    "an unknown request_id",
    attempted("a", 5, { outcome: { kind: "timed_out" }, millis: 3_000, scripted: { unknown_id: true } }),
  ],
])("says nothing about %s", (_, event) => {
  const seen = observationsOf(callbackAnsweredLate, [event]);

  expect(seen).toEqual([]);
});

test("leaves an early callback without an answer to another detector", () => {
  const late = attempted("a", 3, { outcome: { kind: "timed_out" }, millis: 3_000 });

  const seen = observationsOf(callbackAnsweredLate, [acceptedAfterCallback("a", 0), late]);

  expect(seen).toEqual([]);
});
