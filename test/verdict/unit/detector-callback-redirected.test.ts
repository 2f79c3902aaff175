import { expect, test } from "vitest";
import type { CallbackOutcome } from "../../../src/gateway/domain/callback-outcome.ts";
import { callbackRedirected } from "../../../src/verdict/checks/callback-redirected.ts";
import { answered, attempted, callback, observationsOf } from "../../support/finding-events.ts";

const URL = "http://localhost:3000/hooks/airtime";
const SLASH: CallbackOutcome = { kind: "redirect", status: 301, location: "/hooks/airtime/?token=s3cret", body: "" };

test("sees a redirect and where it leads, without what is secret in it", () => {
  const seen = observationsOf(callbackRedirected, [attempted("a", 1, { outcome: SLASH, millis: 7 })]);

  expect(seen).toEqual([
    {
      subject: URL,
      seen: `After 7 ms, ${URL} answered 301 to ${URL}/; redirects are not followed: register the final URL.`,
      exchanges: [callback("a")],
    },
  ]);
});

test("sees the tries of one delivery once", () => {
  const seen = observationsOf(callbackRedirected, [
    attempted("a", 1, { outcome: SLASH, retryAt: 2 }),
    attempted("a", 2, { outcome: SLASH, attempt: 2 }),
  ]);

  expect(seen).toHaveLength(1);
});

test.each([
  ["an answer of 200", attempted("a", 1)],
  ["a 304 that leads nowhere", attempted("a", 1, { outcome: answered(304) })],
  ["a form sent back after malformed JSON", attempted("a", 1, { outcome: SLASH, scripted: { malformed: true } })],
  [
    "a form sent back after an unknown request_id",
    attempted("a", 1, { outcome: SLASH, scripted: { unknown_id: true } }),
  ],
  [
    "a form sent back after a body that dripped in",
    attempted("a", 1, { outcome: SLASH, scripted: { slow_drip: true } }),
  ],
])("says nothing about %s", (_, event) => {
  const seen = observationsOf(callbackRedirected, [event]);

  expect(seen).toEqual([]);
});
