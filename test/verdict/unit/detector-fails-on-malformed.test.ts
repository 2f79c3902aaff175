import { expect, test } from "vitest";
import type { CallbackOutcome } from "../../../src/gateway/domain/callback-outcome.ts";
import type { ScriptedCallback } from "../../../src/gateway/scenario/effects/callback-flags.ts";
import { failsOnMalformed } from "../../../src/verdict/checks/fails-on-malformed.ts";
import { answered, attempted, callback, observationsOf } from "../../support/finding-events.ts";

const URL = "http://localhost:3000/hooks/airtime";
const malformed = { malformed: true };

test.each<[ScriptedCallback, CallbackOutcome, string]>([
  [malformed, answered(500), `whose body is not JSON, ${URL} answered 500 after 5 ms.`],
  [malformed, { kind: "reset" }, `whose body is not JSON, ${URL} ended the connection without an answer after 5 ms.`],
  [
    { wrong_content_type: true },
    { kind: "timed_out" },
    `whose Content-Type is not application/json, ${URL} gave no answer in 5 ms.`,
  ],
])("sees a receiver that breaks down over %j: %j", (scripted, outcome, rest) => {
  const seen = observationsOf(failsOnMalformed, [attempted("a", 1, { scripted, outcome })]);

  expect(seen).toEqual([{ subject: URL, seen: `To a callback ${rest}`, exchanges: [callback("a")] }]);
});

test.each([
  ["malformed JSON answered 400", attempted("a", 1, { outcome: answered(400), scripted: malformed })],
  ["malformed JSON answered 200", attempted("a", 1, { scripted: malformed })],
  [
    "a wrong content type answered 415",
    attempted("a", 1, { outcome: answered(415), scripted: { wrong_content_type: true } }),
  ],
  ["malformed JSON that was abandoned", attempted("a", 1, { outcome: { kind: "abandoned" }, scripted: malformed })],
  ["malformed JSON that found nobody", attempted("a", 1, { outcome: { kind: "refused" }, scripted: malformed })],
  [
    "malformed JSON that breaks off",
    attempted("a", 1, { outcome: answered(500), scripted: { ...malformed, disconnect: true } }),
  ],
  ["a sound callback answered 500", attempted("a", 1, { outcome: answered(500) })],
  ["an unknown request_id answered 500", attempted("a", 1, { outcome: answered(500), scripted: { unknown_id: true } })],
])("says nothing about %s", (_, event) => {
  const seen = observationsOf(failsOnMalformed, [event]);

  expect(seen).toEqual([]);
});

test("judges a URL by its plain callbacks alone", () => {
  const failed = { outcome: answered(500) };

  const seen = observationsOf(failsOnMalformed, [
    attempted("a", 1),
    attempted("a", 2, { ...failed, delivery: 2, attempt: 2, scripted: {} }),
    attempted("a", 3, { ...failed, delivery: 3, attempt: 3, scripted: { contradict: true } }),
    attempted("b", 4, { ...failed, scripted: malformed }),
    attempted("c", 5, failed),
    attempted("d", 6, { ...failed, scripted: malformed }),
  ]);

  expect(seen.map(({ exchanges }) => exchanges)).toEqual([[callback("b")]]);
});
