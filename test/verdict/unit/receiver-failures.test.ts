import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import type { CallbackOutcome } from "../../../src/gateway/domain/callback-outcome.ts";
import type { ScriptedCallback } from "../../../src/gateway/scenario/effects/callback-flags.ts";
import {
  accepted,
  acceptedAfterCallback,
  answered,
  appliedRules,
  attempted,
  callback,
  observationsOf,
  request,
} from "../../support/finding-events.ts";

const URL = "http://localhost:3000/hooks/airtime";

test.each<[CallbackOutcome, string]>([
  [answered(500), "answered 500 after 5 ms"],
  [answered(404), "answered 404 after 5 ms"],
  [answered(422), "answered 422 after 5 ms"],
  [{ kind: "timed_out" }, "gave no answer in 5 ms"],
  [{ kind: "reset" }, "ended the connection without an answer after 5 ms"],
])(
  "fails-on-early-callback: sees a receiver that fails on a callback before its acknowledgment: %j",
  (outcome, reaction) => {
    const seen = observationsOf("fails-on-early-callback", [
      acceptedAfterCallback("a", 0),
      attempted("a", 0, { outcome }),
      attempted("b", 1),
    ]);

    expect(seen).toEqual([
      {
        subject: URL,
        seen: `To a callback that came before the acknowledgment of its request, ${URL} ${reaction}.`,
        exchanges: [request("a"), callback("a")],
      },
    ]);
  },
);

test.each<[CallbackOutcome, number]>([
  [{ kind: "timed_out" }, 1],
  [answered(500), 1],
  [answered(404), 0],
])("a callback whose client waits for a hanging acknowledgment is as early: %j", (outcome, observations) => {
  const seen = observationsOf("fails-on-early-callback", [
    accepted("a", 0, { rules: appliedRules({ breakage: "hang" }) }),
    attempted("a", 0, { outcome }),
    attempted("b", 1),
  ]);

  expect(seen).toHaveLength(observations);
});

test.each([
  ["an early callback answered 200", attempted("a", 0)],
  ["an early callback answered 201", attempted("a", 0, { outcome: answered(201) })],
  ["an early callback answered 403", attempted("a", 0, { outcome: answered(403) })],
  ["an early callback that found nobody", attempted("a", 0, { outcome: { kind: "refused" } })],
  ["an early callback that was abandoned", attempted("a", 0, { outcome: { kind: "abandoned" } })],
  ["a later try", attempted("a", 5, { attempt: 2, outcome: answered(500) })],
  ["a later delivery", attempted("a", 5, { delivery: 2, attempt: 2, outcome: answered(500) })],
  ["an early callback that is malformed", attempted("a", 0, { outcome: answered(500), scripted: { malformed: true } })],
])("fails-on-early-callback: says nothing about %s", (_, event) => {
  const seen = observationsOf("fails-on-early-callback", [acceptedAfterCallback("a", 0), event, attempted("b", 6)]);

  expect(seen).toEqual([]);
});

test.each<[string, readonly AccountEvent[], number]>([
  [
    "says nothing about a callback after its acknowledgment",
    [accepted("a", 0), attempted("a", 1, { outcome: answered(500) })],
    0,
  ],
])("fails-on-early-callback: %s", (_, events, count) => {
  expect(observationsOf("fails-on-early-callback", events)).toHaveLength(count);
});

test("fails-on-early-callback: says nothing while the URL fails on ordinary callbacks too", () => {
  const outcome = answered(404);

  const seen = observationsOf("fails-on-early-callback", [
    attempted("a", 1, { outcome }),
    acceptedAfterCallback("b", 2),
    attempted("b", 2, { outcome }),
  ]);

  expect(seen).toEqual([]);
});

test("fails-on-early-callback: says nothing as long as no callback proves that the route exists", () => {
  const outcome = answered(404);

  const seen = observationsOf("fails-on-early-callback", [
    acceptedAfterCallback("a", 0),
    attempted("a", 0, { outcome }),
  ]);

  expect(seen).toEqual([]);
});

test("fails-on-early-callback: takes an earlier callback as proof, too", () => {
  const outcome = answered(404);

  const seen = observationsOf("fails-on-early-callback", [
    attempted("b", 0),
    acceptedAfterCallback("a", 1),
    attempted("a", 1, { outcome }),
  ]);

  expect(seen).toHaveLength(1);
});

const malformed = { malformed: true };

test.each<[ScriptedCallback, CallbackOutcome, string]>([
  [malformed, answered(500), `that it cannot read (not JSON), ${URL} answered 500 after 5 ms.`],
  [
    malformed,
    { kind: "reset" },
    `that it cannot read (not JSON), ${URL} ended the connection without an answer after 5 ms.`,
  ],
  [
    { wrong_content_type: true },
    { kind: "timed_out" },
    `that it cannot read (wrong type: text/plain), ${URL} gave no answer in 5 ms.`,
  ],
  [{ body: "{}" }, answered(500), `that it cannot read (no request_id), ${URL} answered 500 after 5 ms.`],
])("fails-on-malformed: sees a receiver that breaks down over %j: %j", (scripted, outcome, rest) => {
  const seen = observationsOf("fails-on-malformed", [attempted("a", 1, { scripted, outcome })]);

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
  ["a sound callback answered 500", attempted("a", 1, { outcome: answered(500) })],
  ["an unknown request_id answered 500", attempted("a", 1, { outcome: answered(500), scripted: { unknown_id: true } })],
])("fails-on-malformed: says nothing about %s", (_, event) => {
  const seen = observationsOf("fails-on-malformed", [event]);

  expect(seen).toEqual([]);
});

test("fails-on-malformed: judges a URL by its plain callbacks alone", () => {
  const failed = { outcome: answered(500) };

  const seen = observationsOf("fails-on-malformed", [
    attempted("a", 1),
    attempted("a", 2, { ...failed, delivery: 2, attempt: 2, scripted: {} }),
    attempted("a", 3, { ...failed, delivery: 3, attempt: 3, scripted: { contradict: true } }),
    attempted("b", 4, { ...failed, scripted: malformed }),
    attempted("c", 5, failed),
    attempted("d", 6, { ...failed, scripted: malformed }),
  ]);

  expect(seen.map(({ exchanges }) => exchanges)).toEqual([[callback("b")]]);
});

const scripted = { unknown_id: true };

test.each<[CallbackOutcome, string]>([
  [answered(500), "answered 500 after 5 ms"],
  [{ kind: "timed_out" }, "gave no answer in 5 ms"],
  [{ kind: "reset" }, "ended the connection without an answer after 5 ms"],
])("fails-on-unknown-request-id: sees a receiver that fails on an id it does not know: %j", (outcome, reaction) => {
  const seen = observationsOf("fails-on-unknown-request-id", [attempted("a", 1, { outcome, scripted })]);

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
])("fails-on-unknown-request-id: says nothing about %s", (_, event) => {
  const seen = observationsOf("fails-on-unknown-request-id", [event]);

  expect(seen).toEqual([]);
});

test("fails-on-unknown-request-id: says nothing while the URL fails on ordinary callbacks too, and speaks once it does not", () => {
  const failed = { outcome: answered(500) };

  const seen = observationsOf("fails-on-unknown-request-id", [
    attempted("a", 1, failed),
    attempted("b", 2, { ...failed, scripted }),
    attempted("c", 3),
    attempted("d", 4, { ...failed, scripted }),
  ]);

  expect(seen.map(({ exchanges }) => exchanges)).toEqual([[callback("d")]]);
});
