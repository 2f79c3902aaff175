import { expect, test } from "vitest";
import type { CallbackOutcome } from "../../../src/gateway/domain/callback-outcome.ts";
import { failsOnUnknownRequestId } from "../../../src/verdict/checks/fails-on-unknown-request-id.ts";
import { answered, attempted, callback, observationsOf } from "../../support/finding-events.ts";

const URL = "http://localhost:3000/hooks/airtime";
const scripted = { unknown_id: true };

test.each<[CallbackOutcome, string]>([
  [answered(500), "answered 500 after 5 ms"],
  [{ kind: "timed_out" }, "gave no answer in 5 ms"],
  [{ kind: "reset" }, "ended the connection without an answer after 5 ms"],
])("sees a receiver that fails on an id it does not know: %j", (outcome, reaction) => {
  const seen = observationsOf(failsOnUnknownRequestId, [attempted("a", 1, { outcome, scripted })]);

  expect(seen).toEqual([
    {
      subject: URL,
      seen: `To a callback with an unknown request_id, ${URL} ${reaction}.`,
      exchanges: [callback("a")],
    },
  ]);
});

test.each([
  ["an unknown id answered 200", attempted("a", 1, { scripted })],
  ["an unknown id answered 404", attempted("a", 1, { outcome: answered(404), scripted })],
  ["an unknown id that found nobody", attempted("a", 1, { outcome: { kind: "refused" }, scripted })],
  ["an unknown id that was abandoned", attempted("a", 1, { outcome: { kind: "abandoned" }, scripted })],
  ["a known id answered 500", attempted("a", 1, { outcome: answered(500) })],
  [
    "an unknown id in malformed JSON",
    attempted("a", 1, { outcome: answered(500), scripted: { ...scripted, malformed: true } }),
  ],
  [
    "an unknown id that drips in",
    attempted("a", 1, { outcome: { kind: "timed_out" }, scripted: { ...scripted, slow_drip: true } }),
  ],
])("says nothing about %s", (_, event) => {
  const seen = observationsOf(failsOnUnknownRequestId, [event]);

  expect(seen).toEqual([]);
});

test("says nothing while the URL fails on ordinary callbacks too, and speaks once it does not", () => {
  const failed = { outcome: answered(500) };

  const seen = observationsOf(failsOnUnknownRequestId, [
    attempted("a", 1, failed),
    attempted("b", 2, { ...failed, scripted }),
    attempted("c", 3),
    attempted("d", 4, { ...failed, scripted }),
  ]);

  expect(seen.map(({ exchanges }) => exchanges)).toEqual([[callback("d")]]);
});
