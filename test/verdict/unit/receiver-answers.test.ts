import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import type { Attempted } from "../../../src/gateway/account/events.ts";
import type { CallbackOutcome } from "../../../src/gateway/domain/callback-outcome.ts";
import type { Observation } from "../../../src/verdict/checks/check.ts";
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

/** The first callback, the second delivery of it, and one of another order, with what came of them. */
const first = (outcome: CallbackOutcome = answered(200), changes: Partial<Attempted> = {}) =>
  attempted("a", 1, { outcome, ...changes });
const again = (outcome: CallbackOutcome = answered(200), changes: Partial<Attempted> = {}) =>
  attempted("a", 2, { delivery: 2, attempt: 2, scripted: {}, outcome, ...changes });
const other = (outcome: CallbackOutcome = answered(200), millis = 5) => attempted("b", 2, { outcome, millis });
const EARLY = acceptedAfterCallback("a", 0);

const LATE: CallbackOutcome = { kind: "timed_out" };
const NOBODY: CallbackOutcome = { kind: "refused" };
const GONE: CallbackOutcome = { kind: "abandoned" };
const RESET: CallbackOutcome = { kind: "reset" };
const BLOCKED: CallbackOutcome = { kind: "blocked", reason: "not allowed" };
const SLASH: CallbackOutcome = { kind: "redirect", status: 301, location: "/hooks/airtime/?token=s3cret", body: "" };

/** The attempts that prove an observation. */
const proved = (...attempts: readonly number[]) => ({ exchanges: attempts.map((one) => callback("a", one)) });
const said = (words: string) => ({ subject: URL, seen: expect.stringContaining(words), ...proved(1) });

/** What happened, and what a check sees of it. */
type Row = [string, readonly AccountEvent[], readonly Partial<Observation>[]];

test.each<Row>([
  ["no answer", [first(LATE, { millis: 3_001 })], [said(`${URL} gave no answer in 3,001 ms.`)]],
  [
    "a late answer",
    [first(answered(200), { millis: 3_400 })],
    [said("200 after 3,400 ms, past the limit of 3,000 ms.")],
  ],
  [
    "the tries of one delivery once",
    [first(LATE, { millis: 3_000, retryAt: 9 }), first(LATE, { millis: 3_000, attempt: 2 }), other(LATE, 3_000)],
    [proved(1), { exchanges: [callback("b")] }],
  ],
  ["nothing in an answer just in time", [first(answered(200), { millis: 3_000 })], []],
  ["nothing in a late refusal", [first(NOBODY, { millis: 5_000 })], []],
  ["nothing in one that was abandoned late", [first(GONE, { millis: 5_000 })], []],
  ["nothing in malformed JSON", [first(LATE, { millis: 3_000, scripted: { malformed: true } })], []],
  ["nothing in an unknown request_id", [first(LATE, { millis: 3_000, scripted: { unknown_id: true } })], []],
  [
    "nothing in an early one, which has a check of its own",
    [EARLY, attempted("a", 3, { outcome: LATE, millis: 3_000 })],
    [],
  ],
])("callback-answered-late: sees %s", (_, events, seen) => {
  expect(observationsOf("callback-answered-late", events)).toMatchObject(seen);
});

const DELIVERED = '{"request_id":"a","charge":50,"account_balance":9950,"result_code":200,"result_desc":"Done."}';
const FAILED = '{"request_id":"a","charge":0,"account_balance":0,"result_code":500,"result_desc":"No."}';
const INDENTED = { body: JSON.stringify(JSON.parse(DELIVERED), undefined, 2) };
const CHARSET = { content_type: "application/json; charset=utf-8" };

test.each<Row>([
  ...(
    [
      [201, "only 200 acknowledges a callback, so answer 200"],
      [404, "no such route there"],
      [419, "419 is Laravel's answer to a missing token"],
      [500, "the receiver failed"],
    ] as const
  ).map(([status, repair]): Row => [
    `an answer of ${status}, with the repair`,
    [first(answered(status), { millis: 12 })],
    [{ ...said(repair), subject: `${URL} answered ${status}` }],
  ]),
  [
    "the tries of one delivery once, and the next again",
    [first(answered(500), { retryAt: 2 }), first(answered(500), { attempt: 2 }), again(answered(500), { attempt: 3 })],
    [proved(1), proved(3)],
  ],
  ["409 to a first callback", [first(answered(409))], [proved(1)]],
  ["500 to a contradiction", [again(answered(500), { scripted: { contradict: true } })], [proved(2)]],
  ["201 to a contradiction", [first(), again(answered(201), { scripted: { contradict: true } })], [proved(2)]],
  ["500 to a repeat", [again(answered(500))], [proved(2)]],
  ["404 to a callback that came in its time", [accepted("a", 0), first(answered(404))], [proved(1)]],
  ["415 to one that is only indented otherwise", [first(), again(answered(415), { scripted: INDENTED })], [proved(2)]],
  ["415 to one that only names its charset", [first(), again(answered(415), { scripted: CHARSET })], [proved(2)]],
  ["201 to an early one", [EARLY, attempted("a", 0, { outcome: answered(201) })], [proved(1)]],
  ["404 to an early one that is the only one", [EARLY, attempted("a", 0, { outcome: answered(404) })], [proved(1)]],
  ["500 to an early one that is the only one", [EARLY, attempted("a", 0, { outcome: answered(500) })], [proved(1)]],
  [
    "nothing in 404 to an early one beside another",
    [other(), EARLY, attempted("a", 0, { outcome: answered(404) })],
    [],
  ],
  ["nothing in an answer of 200", [first()], []],
  ...[SLASH, LATE, GONE, BLOCKED].map((outcome): Row => [
    `nothing in ${JSON.stringify(outcome)}`,
    [first(outcome)],
    [],
  ]),
  ["nothing in 400 to malformed JSON", [first(answered(400), { scripted: { malformed: true } })], []],
  ["nothing in 415 to a wrong type", [first(answered(415), { scripted: { wrong_content_type: true } })], []],
  ["nothing in 404 to an unknown request_id", [first(answered(404), { scripted: { unknown_id: true } })], []],
  ["nothing in 401 to other headers", [first(answered(401), { scripted: { headers: { "x-signature": "0" } } })], []],
  ["nothing in 409 to a repeat", [again(answered(409))], []],
  [
    "nothing in 404 to a reversal",
    [first(), reversed("a", 2), again(answered(404), { scripted: { reverse: true } })],
    [],
  ],
])("callback-not-acknowledged: sees %s", (_, events, seen) => {
  expect(observationsOf("callback-not-acknowledged", events)).toMatchObject(seen);
});

test("callback-not-acknowledged: never shows what is secret in the URL", () => {
  const url = "http://user:pass@localhost:3000/hooks?token=s3cret";

  const seen = observationsOf("callback-not-acknowledged", [first(answered(500), { url })]);

  expect(seen).toMatchObject([{ subject: "http://localhost:3000/hooks answered 500" }]);
  expect(seen[0]?.seen).not.toMatch(/s3cret|pass/);
});

test.each([
  ["that contradicts", { contradict: true }],
  ["edited to say failed", { body: FAILED }],
  ["edited to say another charge", { body: DELIVERED.replace('"charge":50', '"charge":40') }],
])("callback-not-acknowledged: lets a receiver refuse a callback %s the first, and not fail on it", (_, by) => {
  const answers = [400, 404, 409, 500].map((status, index) =>
    again(answered(status), { delivery: index + 2, attempt: index + 2, scripted: by }),
  );

  expect(observationsOf("callback-not-acknowledged", [first(), ...answers])).toMatchObject([proved(5)]);
});

test.each<Row>([
  [
    "where it leads, without what is secret in it",
    [first(SLASH, { millis: 7 })],
    [
      {
        subject: URL,
        seen: `After 7 ms, ${URL} answered 301, a redirect to ${URL}/: callbacks do not follow redirects, so register the URL that it leads to.`,
        ...proved(1),
      },
    ],
  ],
  ["the tries of one delivery once", [first(SLASH, { retryAt: 2 }), first(SLASH, { attempt: 2 })], [proved(1)]],
  ["nothing in an answer of 200", [first()], []],
  ["nothing in a 304 that leads nowhere", [first(answered(304))], []],
  ["nothing in a form sent back after malformed JSON", [first(SLASH, { scripted: { malformed: true } })], []],
  ["nothing in one sent back after an unknown request_id", [first(SLASH, { scripted: { unknown_id: true } })], []],
])("callback-redirected: sees %s", (_, events, seen) => {
  expect(observationsOf("callback-redirected", events)).toMatchObject(seen);
});

test.each<Row>([
  ["a connection that was refused", [first(NOBODY)], [said("Nothing listens at")]],
  ["one not routed", [first({ ...NOBODY, reason: "EHOSTUNREACH" })], [said("cannot be reached (EHOSTUNREACH)")]],
  ["one that was reset", [first(RESET)], [said("closed the connection without an answer")]],
  ["a name without an address", [first({ kind: "unresolved_name" })], [said("cannot be resolved")]],
  ["one without trust", [first({ kind: "tls", reason: "DEPTH_ZERO: self-signed" })], [said("No TLS connection to")]],
  [
    "the tries of one delivery once",
    [first(NOBODY, { retryAt: 2 }), first(NOBODY, { attempt: 2, retryAt: 3 }), first(answered(200), { attempt: 3 })],
    [proved(1)],
  ],
  ["that nothing listens for malformed JSON either", [first(NOBODY, { scripted: { malformed: true } })], [proved(1)]],
  ["nothing in an answer", [first()], []],
  ...[LATE, BLOCKED, GONE].map((outcome): Row => [`nothing in ${JSON.stringify(outcome)}`, [first(outcome)], []]),
  ["nothing in a reset over malformed JSON", [first(RESET, { scripted: { malformed: true } })], []],
  ["nothing in a crash over an early callback", [EARLY, attempted("a", 0, { outcome: RESET })], []],
])("callback-unreachable: sees %s", (_, events, seen) => {
  expect(observationsOf("callback-unreachable", events)).toMatchObject(seen);
});

const CONTRADICTS = { scripted: { contradict: true } };
const RESENT: AccountEvent = { kind: "resend-requested", at: after(1), requestId: "a" };
const REDIRECT: CallbackOutcome = { kind: "redirect", status: 302, location: "/", body: "" };
const ELSEWHERE = { url: "http://localhost:3000/other" };
const HEADERS = { headers: { "content-type": "application/json", "x-key": "b" } };

test.each<Row>([
  [
    "than the first",
    [first(), again(answered(409))],
    [
      {
        subject: URL,
        seen: `${URL} answered delivery 1 of a callback with 200 and delivery 2, the same bytes, with 409.`,
        ...proved(1, 2),
      },
    ],
  ],
  ["than one after it", [again(answered(500), { attempt: 1 }), first(answered(200), { attempt: 2 })], [{}]],
  ["by a redirect", [first(), again(REDIRECT)], [{}]],
  ["after a resend", [first(), RESENT, again(answered(500))], [{}]],
  [
    "of two that contradict",
    [first(), again(answered(200), CONTRADICTS), again(answered(500), { ...CONTRADICTS, delivery: 3, attempt: 3 })],
    [proved(2, 3)],
  ],
])("callback-answered-differently: sees a repeat that is answered otherwise %s", (_, events, seen) => {
  expect(observationsOf("callback-answered-differently", events)).toMatchObject(seen);
});

test.each<[string, readonly AccountEvent[]]>([
  ["two equal answers", [first(), again()]],
  ["a retry of one delivery", [first(answered(500), { retryAt: after(2) }), again(answered(200), { delivery: 1 })]],
  ["callbacks of two transactions", [first(), other(answered(500))]],
  ...[NOBODY, LATE, answered(502)].map((outcome): [string, AccountEvent[]] => [
    `a first with ${JSON.stringify(outcome)}`,
    [first(outcome), again()],
  ]),
  ["a repeat that a limiter stopped", [first(), again(answered(429))]],
  ["a contradicting repeat", [first(), again(answered(409), CONTRADICTS)]],
  ["a malformed repeat", [first(), again(answered(400), { scripted: { malformed: true } })]],
  ["a repeat with other headers", [first(), again(answered(401), { scripted: { headers: { "x-signature": "0" } } })]],
  ["a repeat of another content type", [first(), again(answered(415), { scripted: { wrong_content_type: true } })]],
  ["a repeat that names its charset", [first(), again(answered(415), { scripted: CHARSET })]],
  ["a repeat with an unknown request_id", [first(), again(answered(404), { scripted: { unknown_id: true } })]],
  ["a resend after a repair", [first(answered(500)), RESENT, again()]],
  ["a resend of what nobody remembers", [{ ...RESENT, requestId: "unknown" }, attempted("unknown", 2)]],
  ["a repeat to another URL", [first(), again(answered(404), ELSEWHERE)]],
  ["a repeat under other settings", [first(), again(answered(401), HEADERS)]],
  ["a first that came early", [EARLY, first(answered(404)), again()]],
])("callback-answered-differently: says nothing about %s", (_, events) => {
  expect(observationsOf("callback-answered-differently", events)).toEqual([]);
});

const many = (count: number) => Array.from({ length: count }, (_, index) => attempted(`quick ${index}`, index));
const slow = (millis: number, changes: Partial<Attempted> = {}, id = "slow") =>
  attempted(id, 100, { millis, ...changes });
const slowly = (count: number, millis: number, changes: Partial<Attempted> = {}) =>
  Array.from({ length: count }, (_, index) => slow(millis, changes, `${index}`));

test.each<Row>([
  [
    "a receiver that takes longer than a second for more than one callback in twenty",
    [...many(18), slow(1_204, {}, "a"), slow(2_300, {}, "b")],
    [
      {
        subject: URL,
        seen: `${URL} took longer than 1,000 ms for 2 of 20 callbacks in a row; the 95th percentile is 1,204 ms.`,
        exchanges: [callback("a"), callback("b")],
      },
    ],
  ],
  [
    "the 95th percentile, whatever the order of the answers",
    [slow(2_900), ...many(17), slow(1_200), slow(2_300)],
    [{ seen: expect.stringContaining("for 3 of 20 callbacks in a row; the 95th percentile is 2,300 ms") }],
  ],
  ["nothing again before the next twenty", slowly(39, 1_500), [{}]],
  ["the next twenty", slowly(40, 1_500), [{}, {}]],
  ["nothing in nineteen slow answers", slowly(19, 2_000), []],
  ["nothing in one slow answer in twenty", [...many(19), slow(2_900)], []],
  ["nothing in answers of a second exactly", slowly(20, 1_000), []],
  ["nothing in failures", slowly(40, 2_000, { outcome: answered(500) }), []],
  ["nothing in ten slow answers each of two URLs", [...slowly(10, 2_000), ...slowly(10, 2_000, ELSEWHERE)], []],
])("slow-receiver: sees %s", (_, events, seen) => {
  expect(observationsOf("slow-receiver", events)).toMatchObject(seen);
});
