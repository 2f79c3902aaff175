import { expect, test } from "vitest";
import type { Attempted, CallbacksChanged, ResendRequested } from "../../../src/gateway/account/events.ts";
import { callbackAnsweredDifferently } from "../../../src/verdict/checks/callback-answered-differently.ts";
import {
  acceptedAfterCallback,
  after,
  answered,
  attempted,
  callback,
  observationsOf,
} from "../../support/finding-events.ts";
import { accountSettings } from "../../support/gateway/world.ts";

const URL = "http://localhost:3000/hooks/airtime";

test("sees a repeat that is answered otherwise than the first", () => {
  const seen = observationsOf(callbackAnsweredDifferently, [first(), second({ outcome: answered(409) })]);

  expect(seen).toEqual([
    {
      subject: URL,
      seen: `${URL} answered delivery 1 of a callback with 200 and delivery 2, the same bytes, with 409.`,
      exchanges: [callback("a", 1), callback("a", 2)],
    },
  ]);
});

test("sees it where the second of two sent at once is answered before the first", () => {
  const seen = observationsOf(callbackAnsweredDifferently, [
    second({ outcome: answered(500), attempt: 1 }),
    first({ attempt: 2 }),
  ]);

  expect(seen).toHaveLength(1);
});

test("sees a repeat that is answered by a redirect", () => {
  const outcome = { kind: "redirect", status: 302, location: "/", body: "" } as const;

  const seen = observationsOf(callbackAnsweredDifferently, [first(), second({ outcome })]);

  expect(seen).toHaveLength(1);
});

test("sees a resend of an acknowledged callback that is answered otherwise", () => {
  const seen = observationsOf(callbackAnsweredDifferently, [first(), resent("a"), second({ outcome: answered(500) })]);

  expect(seen).toHaveLength(1);
});

test.each<[string, readonly (Attempted | ResendRequested | CallbacksChanged)[]]>([
  ["two equal answers", [first(), second()]],
  ["a retry of one delivery", [first({ outcome: answered(500), retryAt: after(2) }), second({ delivery: 1 })]],
  ["callbacks of two transactions", [first(), attempted("b", 2, { outcome: answered(500) })]],
  ["a first that never arrived", [first({ outcome: { kind: "refused" } }), second()]],
  ["a first without an answer", [first({ outcome: { kind: "timed_out" } }), second()]],
  ["a first that only a proxy saw", [first({ outcome: answered(502) }), second()]],
  ["a repeat that a limiter stopped", [first(), second({ outcome: answered(429) })]],
  ["a contradicting repeat", [first(), second({ outcome: answered(409), scripted: { contradict: true } })]],
  ["a malformed repeat", [first(), second({ outcome: answered(400), scripted: { malformed: true } })]],
  [
    "a repeat of another content type",
    [first(), second({ outcome: answered(415), scripted: { wrong_content_type: true } })],
  ],
  [
    "a repeat with an unknown request_id",
    [first(), second({ outcome: answered(404), scripted: { unknown_id: true } })],
  ],
  ["a repeat that drips in", [first(), second({ outcome: answered(408), scripted: { slow_drip: true } })]],
  ["a resend after a repair", [first({ outcome: answered(500) }), resent("a"), second()]],
  ["a repeat to another URL", [first(), second({ outcome: answered(404), url: "http://localhost:3000/other" })]],
  ["a repeat under other settings", [first(), callbacksChanged(), second({ outcome: answered(401) })]],
])("says nothing about %s", (_, events) => {
  const seen = observationsOf(callbackAnsweredDifferently, events);

  expect(seen).toEqual([]);
});

test("says nothing where the first came before the acknowledgment and was not known yet", () => {
  const seen = observationsOf(callbackAnsweredDifferently, [
    acceptedAfterCallback("a", 0),
    first({ outcome: answered(404) }),
    second(),
  ]);

  expect(seen).toEqual([]);
});

test("compares contradicting repeats with one another", () => {
  const scripted = { contradict: true };

  const seen = observationsOf(callbackAnsweredDifferently, [
    first(),
    second({ scripted }),
    second({ scripted, delivery: 3, attempt: 3, outcome: answered(500) }),
  ]);

  expect(seen.map(({ exchanges }) => exchanges)).toEqual([[callback("a", 2), callback("a", 3)]]);
});

function first(changes: Partial<Attempted> = {}): Attempted {
  return attempted("a", 1, { scripted: {}, ...changes });
}

function second(changes: Partial<Attempted> = {}): Attempted {
  return attempted("a", 2, { delivery: 2, attempt: 2, scripted: {}, ...changes });
}

function resent(requestId: string): ResendRequested {
  return { kind: "resend-requested", at: after(1), requestId };
}

function callbacksChanged(): CallbacksChanged {
  return { kind: "callbacks-changed", at: after(1), callbacks: accountSettings().callbacks };
}
