import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import type { Attempted } from "../../../src/gateway/account/events.ts";
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
const RESET: CallbackOutcome = { kind: "reset" };
const LATE: CallbackOutcome = { kind: "timed_out" };
const NOBODY: CallbackOutcome = { kind: "refused" };
const GONE: CallbackOutcome = { kind: "abandoned" };

const HUNG = accepted("a", 0, { rules: appliedRules({ breakage: "hang" }) });
const EARLY = acceptedAfterCallback("a", 0);
const OTHER = attempted("b", 1);
/** The callback of the first order, with what came of it. */
const got = (outcome: CallbackOutcome, changes: Partial<Attempted> = {}) => attempted("a", 0, { outcome, ...changes });

test.each<[CallbackOutcome, string]>([
  [answered(500), "answered 500 after 5 ms"],
  [answered(404), "answered 404 after 5 ms"],
  [answered(422), "answered 422 after 5 ms"],
  [LATE, "gave no answer in 5 ms"],
  [RESET, "ended the connection without an answer after 5 ms"],
])("fails-on-early-callback: sees that a callback before its acknowledgment came to %j", (outcome, reaction) => {
  expect(observationsOf("fails-on-early-callback", [EARLY, got(outcome), OTHER])).toEqual([
    {
      subject: URL,
      seen: `To a callback that came before the acknowledgment of its request, ${URL} ${reaction}.`,
      exchanges: [request("a"), callback("a")],
    },
  ]);
});

test.each<[string, readonly AccountEvent[], number]>([
  ["one whose client waits for a hanging acknowledgment", [HUNG, got(LATE), OTHER], 1],
  ["one with 500 during a hanging acknowledgment", [HUNG, got(answered(500)), OTHER], 1],
  ["none with 404 during a hanging acknowledgment", [HUNG, got(answered(404)), OTHER], 0],
  ["one once an earlier callback proves the route", [attempted("b", 0), EARLY, got(answered(404))], 1],
  ["none without another callback", [EARLY, got(answered(404))], 0],
  ["none where others fail too", [attempted("b", 0, { outcome: answered(404) }), EARLY, got(answered(404))], 0],
  ["none after the acknowledgment", [accepted("a", 0), got(answered(500)), OTHER], 0],
  ...[answered(200), answered(201), answered(403), NOBODY, GONE].map((outcome): [string, AccountEvent[], number] => [
    `none that came to ${JSON.stringify(outcome)}`,
    [EARLY, got(outcome), OTHER],
    0,
  ]),
  ["none in a later try", [EARLY, got(answered(500), { attempt: 2 }), OTHER], 0],
  ["none in a later delivery", [EARLY, got(answered(500), { delivery: 2, attempt: 2 }), OTHER], 0],
  ["none in malformed JSON", [EARLY, got(answered(500), { scripted: { malformed: true } }), OTHER], 0],
])("fails-on-early-callback: sees %s", (_, events, count) => {
  expect(observationsOf("fails-on-early-callback", events)).toHaveLength(count);
});

const MALFORMED = { malformed: true };
const UNKNOWN = { unknown_id: true };
const BY_ITSELF = "ended the connection without an answer after 5 ms.";

test.each<[string, ScriptedCallback, CallbackOutcome, string]>([
  ["fails-on-malformed", MALFORMED, answered(500), `that it cannot read (not JSON), ${URL} answered 500 after 5 ms.`],
  ["fails-on-malformed", MALFORMED, RESET, `that it cannot read (not JSON), ${URL} ${BY_ITSELF}`],
  [
    "fails-on-malformed",
    { wrong_content_type: true },
    LATE,
    `that it cannot read (wrong type: text/plain), ${URL} gave no answer in 5 ms.`,
  ],
  [
    "fails-on-malformed",
    { body: "{}" },
    answered(500),
    `that it cannot read (no request_id), ${URL} answered 500 after 5 ms.`,
  ],
  [
    "fails-on-unknown-request-id",
    UNKNOWN,
    answered(500),
    `with an unknown request_id, ${URL} answered 500 after 5 ms.`,
  ],
  ["fails-on-unknown-request-id", UNKNOWN, LATE, `with an unknown request_id, ${URL} gave no answer in 5 ms.`],
  ["fails-on-unknown-request-id", UNKNOWN, RESET, `with an unknown request_id, ${URL} ${BY_ITSELF}`],
])("%s: sees a receiver that breaks down over %j: %j", (check, scripted, outcome, rest) => {
  expect(observationsOf(check, [got(outcome, { scripted })])).toEqual([
    { subject: URL, seen: `To a callback ${rest}`, exchanges: [callback("a")] },
  ]);
});

test.each<[string, ScriptedCallback | undefined, CallbackOutcome]>([
  ["fails-on-malformed", MALFORMED, answered(400)],
  ["fails-on-malformed", MALFORMED, answered(200)],
  ["fails-on-malformed", { wrong_content_type: true }, answered(415)],
  ["fails-on-malformed", MALFORMED, GONE],
  ["fails-on-malformed", MALFORMED, NOBODY],
  ["fails-on-malformed", undefined, answered(500)],
  ["fails-on-malformed", UNKNOWN, answered(500)],
  ["fails-on-unknown-request-id", UNKNOWN, answered(200)],
  ["fails-on-unknown-request-id", UNKNOWN, answered(404)],
  ["fails-on-unknown-request-id", UNKNOWN, NOBODY],
  ["fails-on-unknown-request-id", UNKNOWN, GONE],
  ["fails-on-unknown-request-id", undefined, answered(500)],
  ["fails-on-unknown-request-id", { ...UNKNOWN, malformed: true }, answered(500)],
])("%s: says nothing about %j that came to %j", (check, scripted, outcome) => {
  expect(observationsOf(check, [got(outcome, { scripted })])).toEqual([]);
});

const failed = (id: string, changes: Partial<Attempted> = {}) =>
  attempted(id, 1, { outcome: answered(500), ...changes });

test.each([
  ["fails-on-malformed", MALFORMED],
  ["fails-on-unknown-request-id", UNKNOWN],
])("%s: judges a URL by its plain callbacks alone", (check, scripted) => {
  const seen = observationsOf(check, [
    attempted("a", 1),
    failed("a", { delivery: 2, attempt: 2, scripted: {} }),
    failed("a", { delivery: 3, attempt: 3, scripted: { contradict: true } }),
    failed("b", { scripted }),
    failed("c"),
    failed("d", { scripted }),
    attempted("e", 1),
    failed("f", { scripted }),
  ]);

  expect(seen.map(({ exchanges }) => exchanges)).toEqual([[callback("b")], [callback("f")]]);
});
