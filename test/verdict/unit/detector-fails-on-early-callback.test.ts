import { expect, test } from "vitest";
import type { CallbackOutcome } from "../../../src/gateway/domain/callback-outcome.ts";
import { failsOnEarlyCallback } from "../../../src/verdict/checks/fails-on-early-callback.ts";
import {
  accepted,
  acceptedAfterCallback,
  answered,
  attempted,
  callback,
  request,
  observationsOf,
} from "../../support/finding-events.ts";

const URL = "http://localhost:3000/hooks/airtime";

test.each<[CallbackOutcome, string]>([
  [answered(500), "answered 500 after 5 ms"],
  [answered(404), "answered 404 after 5 ms"],
  [answered(422), "answered 422 after 5 ms"],
  [{ kind: "timed_out" }, "gave no answer in 5 ms"],
  [{ kind: "reset" }, "ended the connection without an answer after 5 ms"],
])("sees a receiver that fails on a callback before its acknowledgment: %j", (outcome, reaction) => {
  const seen = observationsOf(failsOnEarlyCallback, [
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
  [
    "an early callback that drips in",
    attempted("a", 0, { outcome: { kind: "timed_out" }, scripted: { slow_drip: true } }),
  ],
])("says nothing about %s", (_, event) => {
  const seen = observationsOf(failsOnEarlyCallback, [acceptedAfterCallback("a", 0), event, attempted("b", 6)]);

  expect(seen).toEqual([]);
});

test("says nothing about a callback after its acknowledgment", () => {
  const seen = observationsOf(failsOnEarlyCallback, [accepted("a", 0), attempted("a", 1, { outcome: answered(500) })]);

  expect(seen).toEqual([]);
});

test("says nothing while the URL fails on ordinary callbacks too", () => {
  const outcome = answered(404);

  const seen = observationsOf(failsOnEarlyCallback, [
    attempted("a", 1, { outcome }),
    acceptedAfterCallback("b", 2),
    attempted("b", 2, { outcome }),
  ]);

  expect(seen).toEqual([]);
});

test("says nothing as long as no callback proves that the route exists", () => {
  const outcome = answered(404);

  const seen = observationsOf(failsOnEarlyCallback, [acceptedAfterCallback("a", 0), attempted("a", 0, { outcome })]);

  expect(seen).toEqual([]);
});

test("takes an earlier callback as proof, too", () => {
  const outcome = answered(404);

  const seen = observationsOf(failsOnEarlyCallback, [
    attempted("b", 0),
    acceptedAfterCallback("a", 1),
    attempted("a", 1, { outcome }),
  ]);

  expect(seen).toHaveLength(1);
});
