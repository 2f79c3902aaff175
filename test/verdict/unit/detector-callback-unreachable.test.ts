import { expect, test } from "vitest";
import type { CallbackOutcome } from "../../../src/gateway/domain/callback-outcome.ts";
import { callbackUnreachable } from "../../../src/verdict/checks/callback-unreachable.ts";
import { acceptedAfterCallback, attempted, callback, observationsOf } from "../../support/finding-events.ts";

const URL = "http://localhost:3000/hooks/airtime";

test.each<[string, CallbackOutcome, string]>([
  ["refused", { kind: "refused" }, "Nothing listens at"],
  ["not routed", { kind: "refused", reason: "EHOSTUNREACH" }, "cannot be reached (EHOSTUNREACH)"],
  ["reset", { kind: "reset" }, "closed the connection without an answer"],
  ["not resolved", { kind: "unresolved_name" }, "cannot be resolved"],
  ["without trust", { kind: "tls", reason: "DEPTH_ZERO_SELF_SIGNED_CERT: self-signed" }, "No TLS connection to"],
])("sees a connection that was %s, with the repair", (_, outcome, sentence) => {
  const seen = observationsOf(callbackUnreachable, [attempted("a", 1, { outcome })]);

  expect(seen).toEqual([{ subject: URL, seen: expect.stringContaining(sentence), exchanges: [callback("a")] }]);
});

test("sees the tries of one delivery once", () => {
  const outcome = { kind: "refused" } as const;

  const seen = observationsOf(callbackUnreachable, [
    attempted("a", 1, { outcome, retryAt: 2 }),
    attempted("a", 2, { outcome, attempt: 2, retryAt: 3 }),
    attempted("a", 3, { attempt: 3 }),
  ]);

  expect(seen).toHaveLength(1);
});

test("sees that nothing listens, whatever a scenario made of the callback", () => {
  const seen = observationsOf(callbackUnreachable, [
    attempted("a", 1, { outcome: { kind: "refused" }, scripted: { malformed: true } }),
  ]);

  expect(seen).toHaveLength(1);
});

test.each([
  ["an answer", attempted("a", 1)],
  ["no answer", attempted("a", 1, { outcome: { kind: "timed_out" } })],
  ["a callback that was blocked", attempted("a", 1, { outcome: { kind: "blocked", reason: "not allowed" } })],
  ["a callback that was abandoned", attempted("a", 1, { outcome: { kind: "abandoned" } })],
  ["a callback that the sandbox broke off", attempted("a", 1, { outcome: { kind: "broken_off" } })],
  [
    "a receiver that ends a dripping body",
    attempted("a", 1, { outcome: { kind: "reset" }, scripted: { slow_drip: true } }),
  ],
  [
    "a receiver that ends malformed JSON",
    attempted("a", 1, { outcome: { kind: "reset" }, scripted: { malformed: true } }),
  ],
])("says nothing about %s", (_, event) => {
  const seen = observationsOf(callbackUnreachable, [event]);

  expect(seen).toEqual([]);
});

test("leaves a crash over an early callback to another detector", () => {
  const seen = observationsOf(callbackUnreachable, [
    acceptedAfterCallback("a", 0),
    attempted("a", 0, { outcome: { kind: "reset" } }),
  ]);

  expect(seen).toEqual([]);
});
