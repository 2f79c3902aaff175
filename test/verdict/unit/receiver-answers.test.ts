import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import type { Attempted } from "../../../src/gateway/account/events.ts";
import type { CallbackOutcome } from "../../../src/gateway/domain/callback-outcome.ts";
import {
  accepted,
  acceptedAfterCallback,
  after,
  answered,
  attempted,
  callback,
  observationsOf,
  reversed,
} from "../../support/finding-events.ts";

const URL = "http://localhost:3000/hooks/airtime";

test("callback-answered-late: sees that no answer came in time", () => {
  const seen = observationsOf("callback-answered-late", [
    attempted("a", 5, { outcome: { kind: "timed_out" }, millis: 3_001 }),
  ]);

  expect(seen).toEqual([{ subject: URL, seen: `${URL} gave no answer in 3,001 ms.`, exchanges: [callback("a")] }]);
});

test("callback-answered-late: sees an answer past the gateway's limit where the account's own is longer", () => {
  const seen = observationsOf("callback-answered-late", [attempted("a", 5, { millis: 3_400 })]);

  expect(seen).toEqual([
    {
      subject: URL,
      seen: `${URL} answered 200 after 3,400 ms, past the limit of 3,000 ms.`,
      exchanges: [callback("a")],
    },
  ]);
});

test("callback-answered-late: sees the tries of one delivery once", () => {
  const outcome = { kind: "timed_out" } as const;

  const seen = observationsOf("callback-answered-late", [
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
  [
    "malformed JSON",
    attempted("a", 5, { outcome: { kind: "timed_out" }, millis: 3_000, scripted: { malformed: true } }),
  ],
  [
    "an unknown request_id",
    attempted("a", 5, { outcome: { kind: "timed_out" }, millis: 3_000, scripted: { unknown_id: true } }),
  ],
])("callback-answered-late: says nothing about %s", (_, event) => {
  const seen = observationsOf("callback-answered-late", [event]);

  expect(seen).toEqual([]);
});

test("callback-answered-late: leaves an early callback without an answer to another detector", () => {
  const late = attempted("a", 3, { outcome: { kind: "timed_out" }, millis: 3_000 });

  const seen = observationsOf("callback-answered-late", [acceptedAfterCallback("a", 0), late]);

  expect(seen).toEqual([]);
});

test.each([
  [201, "only 200 acknowledges a callback, so answer 200"],
  [204, "only 200 acknowledges a callback, so answer 200"],
  [404, "no such route there"],
  [419, "419 is Laravel's answer to a missing token"],
  [500, "the receiver failed"],
])("callback-not-acknowledged: sees an answer of %i, with the repair", (status, repair) => {
  const seen = observationsOf("callback-not-acknowledged", [
    attempted("a", 1, { outcome: answered(status), millis: 12 }),
  ]);

  expect(seen).toEqual([
    {
      subject: `${URL} answered ${status}`,
      seen: expect.stringContaining(`After 12 ms, ${URL} answered ${status}`),
      exchanges: [callback("a")],
    },
  ]);
  expect(seen[0]?.seen).toContain(repair);
});

test("callback-not-acknowledged: never shows what is secret in the URL", () => {
  const url = "http://user:pass@localhost:3000/hooks?token=s3cret";

  const [seen] = observationsOf("callback-not-acknowledged", [attempted("a", 1, { url, outcome: answered(500) })]);

  expect(seen?.subject).toBe("http://localhost:3000/hooks answered 500");
  expect(seen?.seen).not.toMatch(/s3cret|pass/);
});

test("callback-not-acknowledged: sees the tries of one delivery once, and the next delivery again", () => {
  const outcome = answered(500);

  const seen = observationsOf("callback-not-acknowledged", [
    attempted("a", 1, { outcome, retryAt: 2 }),
    attempted("a", 2, { outcome, attempt: 2 }),
    attempted("a", 3, { outcome, delivery: 2, attempt: 3 }),
  ]);

  expect(seen.map(({ exchanges }) => exchanges)).toEqual([[callback("a", 1)], [callback("a", 3)]]);
});

test.each<[string, readonly AccountEvent[], number]>([
  [
    "sees an early callback that is answered by a code which its being early does not explain",
    [acceptedAfterCallback("a", 0), attempted("a", 0, { outcome: answered(201) })],
    1,
  ],
  [
    "leaves an early callback to another detector, if the URL has acknowledged one before",
    [attempted("b", 0), acceptedAfterCallback("a", 0), attempted("a", 0, { outcome: answered(404) })],
    0,
  ],
])("callback-not-acknowledged: %s", (_, events, count) => {
  expect(observationsOf("callback-not-acknowledged", events)).toHaveLength(count);
});

test.each([
  ["an answer of 200", attempted("a", 1)],
  ["a redirect", attempted("a", 1, { outcome: { kind: "redirect", status: 301, location: "/hooks/", body: "" } })],
  ["no answer", attempted("a", 1, { outcome: { kind: "timed_out" } })],
  ["a callback that was abandoned", attempted("a", 1, { outcome: { kind: "abandoned" } })],
  ["a callback that was blocked", attempted("a", 1, { outcome: { kind: "blocked", reason: "not allowed" } })],
  ["400 to malformed JSON", attempted("a", 1, { outcome: answered(400), scripted: { malformed: true } })],
  [
    "415 to a wrong content type",
    attempted("a", 1, { outcome: answered(415), scripted: { wrong_content_type: true } }),
  ],
  ["404 to an unknown request_id", attempted("a", 1, { outcome: answered(404), scripted: { unknown_id: true } })],
  [
    "401 to other headers",
    attempted("a", 1, { outcome: answered(401), scripted: { headers: { "x-signature": "0" } } }),
  ],
  ["409 to a repeat", attempted("a", 1, { outcome: answered(409), delivery: 2, attempt: 2, scripted: {} })],
])("callback-not-acknowledged: says nothing about %s", (_, event) => {
  const seen = observationsOf("callback-not-acknowledged", [event]);

  expect(seen).toEqual([]);
});

const DELIVERED = '{"request_id":"a","charge":50,"account_balance":9950,"result_code":200,"result_desc":"Done."}';
const FAILED = '{"request_id":"a","charge":0,"account_balance":0,"result_code":500,"result_desc":"No."}';

test.each([
  ["that contradicts", { contradict: true }],
  ["edited to say failed", { body: FAILED }],
])("callback-not-acknowledged: lets a receiver refuse a callback %s the first, and not fail on it", (_, scripted) => {
  const answers = [400, 404, 409, 500].map((status, index) =>
    attempted("a", 2, { outcome: answered(status), delivery: index + 2, attempt: index + 2, scripted }),
  );

  const seen = observationsOf("callback-not-acknowledged", [attempted("a", 1), ...answers]);

  expect(seen).toEqual([expect.objectContaining({ exchanges: [callback("a", 5)] })]);
});

test("callback-not-acknowledged: lets a receiver refuse a reversal", () => {
  const refused = { outcome: answered(404), delivery: 2, attempt: 2, scripted: { reverse: true } };

  const seen = observationsOf("callback-not-acknowledged", [
    attempted("a", 1),
    reversed("a", 2),
    attempted("a", 2, refused),
  ]);

  expect(seen).toEqual([]);
});

test.each([
  ["only indented otherwise", { body: JSON.stringify(JSON.parse(DELIVERED), undefined, 2) }],
  ["with a charset in its content type", { content_type: "application/json; charset=utf-8" }],
])("callback-not-acknowledged: sees a callback that is refused although it is only sent %s", (_, scripted) => {
  const again = attempted("a", 2, { outcome: answered(415), delivery: 2, attempt: 2, scripted });

  expect(observationsOf("callback-not-acknowledged", [attempted("a", 1), again])).toHaveLength(1);
  expect(observationsOf("callback-answered-differently", [attempted("a", 1), again])).toEqual([]);
});

test.each([404, 500])(
  "callback-not-acknowledged: sees an early callback that is the only one and is answered %i",
  (status) => {
    const seen = observationsOf("callback-not-acknowledged", [
      acceptedAfterCallback("a", 0),
      attempted("a", 0, { outcome: answered(status) }),
    ]);

    expect(seen.map(({ exchanges }) => exchanges)).toEqual([[callback("a", 1)]]);
  },
);

test.each([
  ["409 to a first callback", [attempted("a", 1, { outcome: answered(409) })]],
  [
    "201 to a contradiction",
    [
      attempted("a", 1),
      attempted("a", 2, { outcome: answered(201), delivery: 2, attempt: 2, scripted: { contradict: true } }),
    ],
  ],
  ["404 to a callback that came in its time", [accepted("a", 0), attempted("a", 1, { outcome: answered(404) })]],
])("callback-not-acknowledged: sees %s", (_, events) => {
  expect(observationsOf("callback-not-acknowledged", events)).toHaveLength(1);
});

test("callback-answered-differently: a resend of a callback that nobody remembers shows nothing", () => {
  const resent: AccountEvent = { kind: "resend-requested", at: after(1), requestId: "unknown" };

  expect(observationsOf("callback-answered-differently", [resent, attempted("unknown", 2)])).toEqual([]);
});

test("callback-not-acknowledged: sees 500 to a contradiction and to a repeat", () => {
  const outcome = answered(500);

  const seen = observationsOf("callback-not-acknowledged", [
    attempted("a", 1, { outcome, delivery: 2, attempt: 2, scripted: { contradict: true } }),
    attempted("b", 1, { outcome, delivery: 2, attempt: 2, scripted: {} }),
  ]);

  expect(seen).toHaveLength(2);
});

const SLASH: CallbackOutcome = { kind: "redirect", status: 301, location: "/hooks/airtime/?token=s3cret", body: "" };

test("callback-redirected: sees a redirect and where it leads, without what is secret in it", () => {
  const seen = observationsOf("callback-redirected", [attempted("a", 1, { outcome: SLASH, millis: 7 })]);

  expect(seen).toEqual([
    {
      subject: URL,
      seen: `After 7 ms, ${URL} answered 301 to ${URL}/; redirects are not followed: register the final URL.`,
      exchanges: [callback("a")],
    },
  ]);
});

test.each<[string, readonly AccountEvent[], number]>([
  [
    "sees the tries of one delivery once",
    [attempted("a", 1, { outcome: SLASH, retryAt: 2 }), attempted("a", 2, { outcome: SLASH, attempt: 2 })],
    1,
  ],
])("callback-redirected: %s", (_, events, count) => {
  expect(observationsOf("callback-redirected", events)).toHaveLength(count);
});

test.each([
  ["an answer of 200", attempted("a", 1)],
  ["a 304 that leads nowhere", attempted("a", 1, { outcome: answered(304) })],
  ["a form sent back after malformed JSON", attempted("a", 1, { outcome: SLASH, scripted: { malformed: true } })],
  [
    "a form sent back after an unknown request_id",
    attempted("a", 1, { outcome: SLASH, scripted: { unknown_id: true } }),
  ],
])("callback-redirected: says nothing about %s", (_, event) => {
  const seen = observationsOf("callback-redirected", [event]);

  expect(seen).toEqual([]);
});

test.each<[string, CallbackOutcome, string]>([
  ["refused", { kind: "refused" }, "Nothing listens at"],
  ["not routed", { kind: "refused", reason: "EHOSTUNREACH" }, "cannot be reached (EHOSTUNREACH)"],
  ["reset", { kind: "reset" }, "closed the connection without an answer"],
  ["not resolved", { kind: "unresolved_name" }, "cannot be resolved"],
  ["without trust", { kind: "tls", reason: "DEPTH_ZERO_SELF_SIGNED_CERT: self-signed" }, "No TLS connection to"],
])("callback-unreachable: sees a connection that was %s, with the repair", (_, outcome, sentence) => {
  const seen = observationsOf("callback-unreachable", [attempted("a", 1, { outcome })]);

  expect(seen).toEqual([{ subject: URL, seen: expect.stringContaining(sentence), exchanges: [callback("a")] }]);
});

test("callback-unreachable: sees the tries of one delivery once", () => {
  const outcome = { kind: "refused" } as const;

  const seen = observationsOf("callback-unreachable", [
    attempted("a", 1, { outcome, retryAt: 2 }),
    attempted("a", 2, { outcome, attempt: 2, retryAt: 3 }),
    attempted("a", 3, { attempt: 3 }),
  ]);

  expect(seen).toHaveLength(1);
});

test.each<[string, readonly AccountEvent[], number]>([
  [
    "sees that nothing listens, whatever a scenario made of the callback",
    [attempted("a", 1, { outcome: { kind: "refused" }, scripted: { malformed: true } })],
    1,
  ],
  [
    "leaves a crash over an early callback to another detector",
    [acceptedAfterCallback("a", 0), attempted("a", 0, { outcome: { kind: "reset" } })],
    0,
  ],
])("callback-unreachable: %s", (_, events, count) => {
  expect(observationsOf("callback-unreachable", events)).toHaveLength(count);
});

test.each([
  ["an answer", attempted("a", 1)],
  ["no answer", attempted("a", 1, { outcome: { kind: "timed_out" } })],
  ["a callback that was blocked", attempted("a", 1, { outcome: { kind: "blocked", reason: "not allowed" } })],
  ["a callback that was abandoned", attempted("a", 1, { outcome: { kind: "abandoned" } })],
  [
    "a receiver that ends malformed JSON",
    attempted("a", 1, { outcome: { kind: "reset" }, scripted: { malformed: true } }),
  ],
])("callback-unreachable: says nothing about %s", (_, event) => {
  const seen = observationsOf("callback-unreachable", [event]);

  expect(seen).toEqual([]);
});

test("callback-answered-differently: sees a repeat that is answered otherwise than the first", () => {
  const seen = observationsOf("callback-answered-differently", [first(), second({ outcome: answered(409) })]);

  expect(seen).toEqual([
    {
      subject: URL,
      seen: `${URL} answered delivery 1 of a callback with 200 and delivery 2, the same bytes, with 409.`,
      exchanges: [callback("a", 1), callback("a", 2)],
    },
  ]);
});

test.each<[string, readonly AccountEvent[], number]>([
  [
    "sees it where the second of two sent at once is answered before the first",
    [second({ outcome: answered(500), attempt: 1 }), first({ attempt: 2 })],
    1,
  ],
  [
    "sees a resend of an acknowledged callback that is answered otherwise",
    [first(), resent("a"), second({ outcome: answered(500) })],
    1,
  ],
  [
    "says nothing where the first came before the acknowledgment and was not known yet",
    [acceptedAfterCallback("a", 0), first({ outcome: answered(404) }), second()],
    0,
  ],
])("callback-answered-differently: %s", (_, events, count) => {
  expect(observationsOf("callback-answered-differently", events)).toHaveLength(count);
});

test("callback-answered-differently: sees a repeat that is answered by a redirect", () => {
  const outcome = { kind: "redirect", status: 302, location: "/", body: "" } as const;

  const seen = observationsOf("callback-answered-differently", [first(), second({ outcome })]);

  expect(seen).toHaveLength(1);
});

test.each<[string, readonly AccountEvent[]]>([
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
    "a repeat with other headers",
    [first(), second({ outcome: answered(401), scripted: { headers: { "x-signature": "0" } } })],
  ],
  [
    "a repeat of another content type",
    [first(), second({ outcome: answered(415), scripted: { wrong_content_type: true } })],
  ],
  [
    "a repeat with an unknown request_id",
    [first(), second({ outcome: answered(404), scripted: { unknown_id: true } })],
  ],
  ["a resend after a repair", [first({ outcome: answered(500) }), resent("a"), second()]],
  ["a repeat to another URL", [first(), second({ outcome: answered(404), url: "http://localhost:3000/other" })]],
  [
    "a repeat under other settings",
    [first(), second({ outcome: answered(401), headers: { "content-type": "application/json", "x-key": "b" } })],
  ],
])("callback-answered-differently: says nothing about %s", (_, events) => {
  const seen = observationsOf("callback-answered-differently", events);

  expect(seen).toEqual([]);
});

test("callback-answered-differently: compares contradicting repeats with one another", () => {
  const scripted = { contradict: true };

  const seen = observationsOf("callback-answered-differently", [
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

function resent(requestId: string): AccountEvent {
  return { kind: "resend-requested", at: after(1), requestId };
}

test("slow-receiver: sees a receiver that takes longer than a second for more than one callback in twenty", () => {
  const seen = observationsOf("slow-receiver", [...many(18), slow("a", 1_204), slow("b", 2_300)]);

  expect(seen).toEqual([
    {
      subject: URL,
      seen: `${URL} took longer than 1,000 ms for 2 of 20 callbacks in a row; the 95th percentile is 1,204 ms.`,
      exchanges: [callback("a"), callback("b")],
    },
  ]);
});

test("slow-receiver: the 95th percentile does not depend on the order of the answers", () => {
  const [observation] = observationsOf("slow-receiver", [
    slow("a", 2_900),
    ...many(17),
    slow("b", 1_200),
    slow("c", 2_300),
  ]);

  expect(observation?.seen).toContain("for 3 of 20 callbacks in a row; the 95th percentile is 2,300 ms");
});

test("slow-receiver: sees it again in the next twenty, and not before", () => {
  const block = Array.from({ length: 20 }, (_, index) => slow(`a${index}`, 1_500));
  const next = Array.from({ length: 20 }, (_, index) => slow(`b${index}`, 1_500));

  const beforeTheNext = observationsOf("slow-receiver", [...block, ...next.slice(1)]);
  const withTheNext = observationsOf("slow-receiver", [...block, ...next]);

  expect({ beforeTheNext: beforeTheNext.length, withTheNext: withTheNext.length }).toEqual({
    beforeTheNext: 1,
    withTheNext: 2,
  });
});

test.each<[string, readonly Attempted[]]>([
  ["nineteen slow answers", Array.from({ length: 19 }, (_, index) => slow(`a${index}`, 2_000))],
  ["one slow answer in twenty", [...many(19), slow("a", 2_900)]],
  ["answers of a second exactly", Array.from({ length: 20 }, (_, index) => slow(`a${index}`, 1_000))],
  ["failures", Array.from({ length: 40 }, (_, index) => slow(`a${index}`, 2_000, { outcome: answered(500) }))],
  ["ten slow answers each of two URLs", [...tenTo("http://localhost:3000/one"), ...tenTo("http://localhost:3000/two")]],
])("slow-receiver: says nothing about %s", (_, events) => {
  const seen = observationsOf("slow-receiver", events);

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
