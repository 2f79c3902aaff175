import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { rowOf } from "../../../src/gateway/account/readings/requests.ts";
import { asCurl } from "../../../src/dashboard/api/curl.ts";
import { AccountReading } from "../../../src/dashboard/live/account-reading.ts";
import { RowReading } from "../../../src/dashboard/live/row-reading.ts";
import {
  freezeRows,
  isFiltering,
  readFilter,
  readSort,
  rowQuestion,
} from "../../../src/dashboard/views/requests/filter.ts";
import { stepsOf } from "../../../src/dashboard/views/requests/inspector/steps.ts";
import { axisOf } from "../../../src/dashboard/views/requests/inspector/waterfall.ts";
import {
  acknowledgmentWords,
  callbackWords,
  envelopeOf,
  stateOf,
  stateWords,
  titleOf,
} from "../../../src/dashboard/views/requests/words.ts";
import { testControl } from "../../support/control.ts";
import {
  accepted,
  answered,
  appliedRules,
  attempted,
  cut,
  opened,
  queried,
  refused,
  settled,
  unread,
} from "../../support/finding-events.ts";
import { airtime, buyAirtime, callbacksTo, sms } from "../../support/gateway/world.ts";

const AFTERNOON = [
  accepted("paid", 1, { order: airtime(50, "254712345678") }),
  settled("paid", 2),
  attempted("paid", 2),
  accepted("failed", 3, { order: sms("Habari Wanjiku", "254733000001"), carrier: "airtel", rules: appliedRules() }),
  settled("failed", 4, { outcome: "failed", resultDesc: "Imekataliwa." }),
  attempted("failed", 4, { outcome: answered(500) }),
  attempted("failed", 5, { attempt: 2, outcome: answered(500) }),
  accepted("waiting", 6, { order: airtime(75, "254770000001"), carrier: "telkom" }),
  refused("refused", 7, { code: 402 }),
  cut("cut", 8),
  queried("asked", 9),
];

test("lists what has become of each request, newest first", () => {
  const { rows } = ask(accountOf(AFTERNOON));

  expect(rows.map((row) => [row.request.requestId, stateOf(row), stateWords(row).text])).toEqual([
    ["asked", "answered", "Answered"],
    ["cut", "cut", "Connection cut"],
    ["refused", "refused", "Refused 402"],
    ["waiting", "queued", "Queued"],
    ["failed", "failed", "Failed 500"],
    ["paid", "succeeded", "Succeeded"],
  ]);
});

test.each([
  ["state", "failed", ["failed"]],
  ["operation", "sms", ["failed"]],
  ["operation", "account-details", ["asked"]],
  ["carrier", "telkom", ["waiting"]],
  ["carrier", "of nobody", []],
  ["number", "0733", ["failed"]],
  ["number", "+254 770 000 001", ["waiting"]],
  ["number", "0712*", ["cut", "refused", "paid"]],
  ["number", "000001", ["waiting", "failed"]],
  ["text", "WANJIKU", ["failed"]],
  ["text", "imekataliwa", ["failed"]],
  ["text", "75.00", ["waiting"]],
  ["text", "a rule", ["cut", "failed"]],
  ["text", " paid ", ["paid"]],
])("finds by %s %j", (name, asked, expected) => {
  const { rows } = ask(accountOf(AFTERNOON), { [name]: asked });

  expect(rows.map(({ request }) => request.requestId)).toEqual(expected);
});

test("counts what each other choice would show beside the conditions that stay", () => {
  const reading = ask(accountOf(AFTERNOON), { state: "queued", operation: "airtime" });

  expect(Object.fromEntries(reading.counts("state"))).toEqual({ "": 4, succeeded: 1, queued: 1, refused: 1, cut: 1 });
  expect(Object.fromEntries(reading.counts("operation"))).toEqual({ "": 1, airtime: 1 });
  expect(Object.fromEntries(reading.counts("carrier"))).toEqual({ "": 1, telkom: 1 });
});

test("finds by a result that came after the row was searched before", () => {
  const account = accountOf([accepted("late", 1)]);
  const reading = ask(account, { text: "imekataliwa" });
  const before = reading.rows.length;

  account.take({ number: 3, event: settled("late", 2, { outcome: "failed", resultDesc: "Imekataliwa." }) });
  reading.refresh(account, 0);

  expect([before, reading.rows.length]).toEqual([0, 1]);
});

test("takes spaces for no condition", () => {
  expect(isFiltering(readFilter({ text: "  ", account: "sandbox-key" }))).toBe(false);
  expect(isFiltering(readFilter({ state: "cut" }))).toBe(true);
});

test("keeps rows back that came after one began to read", () => {
  const { rows } = ask(accountOf(AFTERNOON));
  const heldAt = rows[2]?.request.number;

  const { shown, fresh } = freezeRows(rows, heldAt);

  expect(shown.map(({ request }) => request.requestId)).toEqual(["refused", "waiting", "failed", "paid"]);
  expect(fresh).toBe(2);
});

test("keeps nothing back where nothing is left of what one read", () => {
  const { rows } = ask(accountOf(AFTERNOON));

  expect(freezeRows(rows, 0)).toEqual({ shown: rows, fresh: 0 });
});

test("says how far each callback is", () => {
  const { rows } = ask(accountOf(AFTERNOON));

  const words = rows.map((row) => callbackWords(row, 6)?.text);

  expect(words).toEqual([undefined, undefined, undefined, "Pending", "500 ×2", "Delivered"]);
});

test.each([
  [{ kind: "timed_out" }, "timed out 3.0 s"],
  [{ kind: "refused" }, "refused"],
  [{ kind: "redirect", status: 302, location: "/login", body: "" }, "302"],
] as const)("says in a word or two why a callback was not delivered: %j", (outcome, words) => {
  const { rows } = accountOf([
    accepted("paid", 1),
    settled("paid", 2),
    attempted("paid", 2, { outcome, millis: 3_004 }),
  ]);

  expect(rows.map((row) => callbackWords(row, 6))).toEqual([{ text: words, tone: "bad" }]);
});

test("calls a request by whom it is for, or by its path", () => {
  const { rows } = ask(accountOf(AFTERNOON));

  expect(rows.slice(0, 3).map(({ request }) => titleOf(request))).toEqual([
    "GET /api/v2/account-details",
    "Airtime to +254 712 345 678",
    "Airtime to +254 712 345 678",
  ]);
});

test.each([
  [undefined, "Acknowledged with 200."],
  [appliedRules(), "Acknowledged with 200."],
  [appliedRules({ ack: { delay: 5_000 } }), "Acknowledged with 200 after 5s."],
  [appliedRules({ ack: { delay: 0, status: 503, body: "busy" } }), "Acknowledged with 503 and a scripted body."],
  [
    appliedRules({ breakage: "reset" }),
    "Accepted, but the connection broke before the response (reset): the client does not know.",
  ],
])("tells what the client got at once: %j", (told, expected) => {
  expect(acknowledgmentWords(told)).toBe(expected);
});

test("shows the envelope of a refusal as the client got it", () => {
  const row = rowOf(
    1,
    unread("bad", 1, { code: 422, description: "Validation failed.", validationErrors: { amount: ["Too small."] } }),
  );

  const envelope = JSON.parse(envelopeOf(row));

  expect(envelope).toEqual({
    status_code: 422,
    description: "Validation failed.",
    validation_errors: { amount: ["Too small."] },
    request_id: "bad",
  });
});

test("shows the body that a scenario answered instead, byte for byte", () => {
  const row = rowOf(1, refused("page", 1, { code: 500, answer: "<html>Oops</html>" }));

  expect(envelopeOf(row)).toBe("<html>Oops</html>");
});

test("writes a request as a line that a shell reads back to the same words", () => {
  const message = `It's "KES 5" & $HOME \`date\` !!\n\\ Habari 👋 <script>`;
  const row = rowOf(1, accepted("sent", 1, { order: sms(message) }));

  const line = asCurl(row, { origin: "http://localhost:8254", consumerKey: "k", consumerSecret: "s'1" });

  const said = execFileSync("sh", ["-c", `curl() { printf '%s\\0' "$@"; }; ${line}`], { encoding: "utf8" }).split("\0");
  expect(said).toEqual([
    "http://localhost:8254/api/v2/sms",
    "-u",
    "k:s'1",
    "-H",
    "content-type: application/json",
    "--data-raw",
    JSON.stringify({ phone_number: "254712345678", message, sender_id: "SANDBOX" }),
    "",
  ]);
});

test.each([
  [queried("asked", 1), "curl 'http://localhost:8254/api/v2/account-details' \\\n  -u 'k:s'"],
  [
    unread("odd", 1, { code: 405, method: "PUT", body: "{" }),
    "curl 'http://localhost:8254/api/v2/airtime' \\\n  -u 'k:s' \\\n  -X 'PUT' \\\n  -H 'content-type: application/json' \\\n  --data-raw '{'",
  ],
])("writes requests without an order as they came", (event, expected) => {
  const line = asCurl(rowOf(1, event), { origin: "http://localhost:8254", consumerKey: "k", consumerSecret: "s" });

  expect(line).toBe(expected);
});

test("tells a transaction's steps in order, each attempt with its own story", async () => {
  const { account, call } = testControl({ account: { callbacks: callbacksTo("http://receiver.test/hooks") } });
  const { requestId } = buyAirtime(account, 50);
  await call("POST", "/accounts/default/clock/advance", { by: "2s" });
  await call("POST", `/accounts/default/transactions/${requestId}/resend`);
  await call("POST", "/accounts/default/drain", { within: "5s" });
  const { body } = await call("GET", `/accounts/default/transactions/${requestId}`);

  const steps = stepsOf(body);

  expect(steps.map(({ kind }) => kind)).toEqual([
    "accepted",
    "planned",
    "held",
    "settled",
    "charged",
    "attempted",
    "told",
    "attempted",
  ]);
  expect(steps.flatMap((step) => (step.kind === "attempted" ? [step.attempt.attempt] : []))).toEqual([1, 2]);
});

test("ends with what is still to come", async () => {
  const { account, call } = testControl();
  const { requestId } = buyAirtime(account, 50);
  const queued = await call("GET", `/accounts/default/transactions/${requestId}`);
  await call("POST", `/accounts/default/transactions/${requestId}/settle`, {});
  const settled = await call("GET", `/accounts/default/transactions/${requestId}`);

  const ends = [stepsOf(queued.body).at(-1), stepsOf(settled.body).at(-1)];

  expect(ends).toEqual([
    { kind: "coming", title: "Carrier", text: "The result is on its way." },
    { kind: "coming", title: "Callback", text: expect.stringMatching(/^Not sent: /) },
  ]);
});

function ask(account: AccountReading, query: Readonly<Record<string, string>> = {}) {
  const reading = new RowReading(rowQuestion(readFilter(query), readSort(query["sort"])));
  reading.refresh(account, 0);
  return reading;
}

function accountOf(events: readonly AccountEvent[]): AccountReading {
  const account = new AccountReading();
  [opened(), ...events].forEach((event, index) => account.take({ number: index + 1, event }));
  return account;
}

test("a waterfall shortens a stretch in which nothing happens, and keeps all else to scale", () => {
  const tone = "good";
  const spans = [
    { name: "Carrier", from: 0, until: 1_000, isLasting: false, tone, text: "200" },
    { name: "Callback 1", from: 1_000, until: 2_000, isLasting: false, tone, text: "500" },
    { name: "Callback 2", from: 3_602_000, until: 3_604_000, isLasting: false, tone, text: "200" },
  ] as const;

  const { at, folds } = axisOf(spans);

  expect([0, 1_000, 2_000, 3_602_000, 3_604_000].map(at)).toEqual([0, 20, 40, 60, 100]);
  expect(folds).toEqual([{ from: 40, to: 60, length: 3_600_000 }]);
});
