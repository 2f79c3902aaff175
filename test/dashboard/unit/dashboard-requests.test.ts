import { execFileSync } from "node:child_process";
import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { rowOf } from "../../../src/gateway/account/readings/requests.ts";
import { asCurl, postCurl } from "../../../src/dashboard/api/curl.ts";
import { AccountReading } from "../../../src/dashboard/live/account-reading.ts";
import { priceOf, moneyRiskOf, saleOf } from "../../../src/dashboard/live/sales.ts";
import { findSales, isFiltering, readFilter } from "../../../src/dashboard/views/requests/list/filter.ts";
import { backendAndCustomerOf } from "../../../src/dashboard/views/requests/list/backend-and-customer.tsx";
import {
  callbackWords,
  carrierWords,
  fieldProblems,
  answerWords,
  repairWords,
  repeatWords,
  stateWords,
  titleOf,
  whyWords,
} from "../../../src/dashboard/views/requests/list/words.ts";
import {
  accepted,
  answered,
  appliedRules,
  attempted,
  clientLeft,
  cut,
  opened,
  queried,
  refused,
  reversed,
  settled,
  unread,
} from "../../support/finding-events.ts";
import { airtime, sms } from "../../support/gateway/world.ts";

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

test("says of each request what the client got, what the carrier said and what the receiver answered", () => {
  const { sales } = ask(accountOf(AFTERNOON));

  const said = sales.map((row) => [
    row.request.requestId,
    stateWords(row).text,
    answerWords(row).text,
    carrierWords(row)?.text,
    callbackWords(row, 0)?.text,
  ]);

  expect(said).toEqual([
    ["asked", "OK", "200", undefined, undefined],
    ["cut", "Not sold, you got no answer", "no answer", undefined, undefined],
    ["refused", "Refused 402", "402", undefined, undefined],
    ["waiting", "Pending", "200", "pending", undefined],
    ["failed", "Failed", "200", "failed", "your receiver: 500 ×2"],
    ["paid", "Succeeded", "200", "sold", "delivered"],
  ]);
});

test("never shows a lost acknowledgment in green, whatever came of the order", () => {
  const { rows } = accountOf([
    accepted("lost", 1, { rules: appliedRules({ breakage: "reset" }) }),
    settled("lost", 2),
    attempted("lost", 2),
  ]);

  const shown = rows.flatMap((row) => [stateWords(row), answerWords(row), carrierWords(row), callbackWords(row, 0)]);

  expect(shown.map((words) => [words?.text, words?.tone])).toEqual([
    ["Sold, you got no answer", "bad"],
    ["no answer", "bad"],
    ["sold", "plain"],
    ["delivered, under an id it never got", "warm"],
  ]);
});

test.each([
  [{ breakage: "hang" } as const, "no answer", "the answer never came"],
  [{ breakage: "drip" } as const, "200 after 7.7 s", ""],
  [{ ack: { delay: 0, status: 503, body: "<html>" } }, "503", "HTTP 503"],
  [{ ack: { delay: 5_000 } }, "200 after 5 s", ""],
])("tells an answer that was lost from one that came: %j", (changes, got, why) => {
  const { rows } = accountOf([accepted("sold", 1, { rules: { ...appliedRules(changes), fired: [] } })]);

  expect(rows.map((row) => [answerWords(row).text, whyWords(row), saleOf(row).problems.includes("lost")])).toEqual([
    [got, why, why !== ""],
  ]);
});

test.each([
  ["problem", "attention", ["cut", "failed"]],
  ["problem", "lost", ["cut"]],
  ["problem", "refused", ["refused"]],
  ["problem", "failed", ["failed"]],
  ["problem", "callback", ["failed"]],
  ["problem", "pending", ["waiting"]],
  ["text", "sms", ["failed"]],
  ["text", "telkom", ["waiting"]],
  ["text", "of nobody", []],
  ["text", "0733", ["failed"]],
  ["text", "+254 770 000 001", ["waiting"]],
  ["text", "000001", ["waiting", "failed"]],
  ["text", "WANJIKU", ["failed"]],
  ["text", "imekataliwa", ["failed"]],
  ["text", "75.00", ["waiting"]],
  ["text", "a rule", ["cut", "failed"]],
  ["text", " paid ", ["paid"]],
])("finds by %s %j", (name, asked, expected) => {
  const { sales } = ask(accountOf(AFTERNOON), { [name]: asked });

  expect(sales.map(({ request }) => request.requestId)).toEqual(expected);
});

test("counts what each other choice would show beside the text that stays", () => {
  const { counts } = ask(accountOf(AFTERNOON), { problem: "pending", text: "airtime" });

  expect(Object.fromEntries(counts)).toEqual({ "": 4, attention: 1, lost: 1, refused: 1, pending: 1 });
});

test("a refusal that the order's code must mend needs attention, an empty wallet does not", () => {
  const { rows } = accountOf([unread("wrong", 1, { code: 422 }), refused("poor", 2, { code: 402 })]);

  expect(rows.map((row) => saleOf(row).problems)).toEqual([["refused", "attention"], ["refused"]]);
});

test("ignores a search of spaces only", () => {
  expect(isFiltering(readFilter({ text: "  ", account: "sandbox-key" }))).toBe(false);
  expect(isFiltering(readFilter({ problem: "lost" }))).toBe(true);
});

test.each([
  [
    { kind: "timed_out" },
    "your receiver: no answer in 3 s",
    "your receiver: no answer in 3 s (localhost:3000)",
    "answer 200 first",
  ],
  [
    { kind: "answered", status: 500, body: "" },
    "your receiver: 500",
    "your receiver: 500 (localhost:3000)",
    "the receiver failed",
  ],
  [
    { kind: "answered", status: 500, body: "TypeError: no order\n    at /shop.js:1" },
    "your receiver: 500",
    "TypeError: no order",
    "the receiver failed",
  ],
  [{ kind: "refused" }, "nothing listening", "nothing listening (localhost:3000)", "start the receiver"],
  [
    { kind: "redirect", status: 302, location: "/login", body: "" },
    "your receiver: 302",
    "your receiver: 302 (localhost:3000)",
    "callbacks do not follow redirects, so exempt this route",
  ],
] as const)("gives the reason of a failed callback in the row, and its repair: %j", (outcome, words, why, repair) => {
  const { rows } = accountOf([
    accepted("paid", 1),
    settled("paid", 2),
    attempted("paid", 2, { outcome, millis: 3_004 }),
  ]);

  expect(rows.map((row) => callbackWords(row, 0))).toEqual([{ text: words, tone: "bad" }]);
  expect(rows.map(whyWords)).toEqual([why]);
  expect(rows.map(repairWords)).toEqual([expect.stringContaining(`${words} (localhost:3000): ${repair}`)]);
});

test.each([
  ["failed", "carrier error"],
  ["not_on_network", "not on this network"],
] as const)("calls a carrier's %s by words, never by a number", (outcome, words) => {
  const result = { outcome, resultCode: 500, resultDesc: "Airtime top-up failed." };
  const plan = { settleAfter: 1_000, result, charge: cents(0) };
  const { rows } = accountOf([accepted("sent", 1, { plan }), settled("sent", 2, { outcome: "failed" })]);

  expect(rows.map((row) => ({ carrier: carrierWords(row)?.text, why: whyWords(row) }))).toEqual([
    { carrier: "failed", why: words },
  ]);
});

test("names the field and the value of a refused request", () => {
  const body = '{"phone_number":"25471234","amount":5}';
  const validationErrors = { phone_number: ["Must have 12 digits."], sender_id: ["Is required."] };
  const { rows } = accountOf([unread("bad", 1, { code: 422, body, validationErrors })]);

  expect(rows.map((row) => whyWords(row))).toEqual([
    'phone_number "25471234": Must have 12 digits. · sender_id: Is required.',
  ]);
  expect(rows.flatMap(({ request }) => fieldProblems(request).map(({ value }) => value))).toEqual([
    '"25471234"',
    undefined,
  ]);
});

test("names the number of an order that a scenario refuses", () => {
  const { rows } = accountOf([refused("bad", 1, { code: 422, validationErrors: { phone_number: ["No carrier."] } })]);

  expect(rows.map((row) => whyWords(row))).toEqual(['phone_number "254712345678": No carrier.']);
});

const LOST = { rules: appliedRules({ breakage: "reset" }) };

test.each([
  [[accepted("a", 1)], ["accepted", "nothing yet", "nothing yet, 50.00 held"]],
  [
    [accepted("a", 1), settled("a", 2), attempted("a", 2)],
    ["delivered", "KES 50.00", "50.00"],
  ],
  [
    [accepted("a", 1, LOST), settled("a", 2)],
    ["nothing", "KES 50.00", "50.00"],
  ],
  [
    [accepted("a", 1, LOST), settled("a", 2), attempted("a", 2)],
    ["delivered, under an id it never got", "KES 50.00", "50.00"],
  ],
  [
    [accepted("a", 1), settled("a", 2), attempted("a", 2, { outcome: { kind: "refused" } })],
    ["accepted", "KES 50.00", "50.00"],
  ],
  [
    [accepted("a", 1), settled("a", 2), attempted("a", 2, { outcome: answered(500) })],
    ["accepted", "KES 50.00", "50.00"],
  ],
  [
    [accepted("a", 1), settled("a", 2, { outcome: "failed" }), attempted("a", 2)],
    ["failed", "nothing", "nothing"],
  ],
  [[refused("a", 1, { code: 402 })], ["refused with 402", "nothing", "nothing"]],
  [[cut("a", 1)], ["nothing", "nothing", "nothing"]],
])("says what the backend knows and what really happened: %#", (events, [knows, got, paid]) => {
  const { rows } = accountOf(events);

  expect(rows.map(backendAndCustomerOf)).toEqual([{ knows, got, paid }]);
});

const SAYS_FAILED = { body: '{"request_id":"{{request_id}}","result_code":500}' };

test.each([
  [[{}], "delivered", "good", []],
  [[{}, {}], "delivered, 2×", "good", []],
  [[{ unknown_id: true }], "unknown id", "warm", ["attention", "unknown"]],
  [[{ malformed: true }], "unreadable: not JSON", "warm", ["attention", "unknown"]],
  [[{ content_type: "text/plain" }], "unreadable: wrong type: text/plain", "warm", ["attention", "unknown"]],
  [[{}, { contradict: true }], "delivered, then failed", "warm", ["attention", "unknown"]],
  [[SAYS_FAILED], "failed", "warm", ["attention", "unknown"]],
] as const)("says what callbacks told, in the tone of what was sent: %j", (sent, text, tone, problems) => {
  const attempts = sent.map((scripted, index) => {
    const type = "content_type" in scripted ? scripted.content_type : "application/json";
    return attempted("a", 2, { attempt: index + 1, scripted, headers: { "content-type": type } });
  });
  const { rows } = accountOf([accepted("a", 1), settled("a", 2), ...attempts]);

  expect(rows.map((row) => ({ told: callbackWords(row, 0), problems: saleOf(row).problems }))).toEqual([
    { told: { text, tone }, problems },
  ]);
});

test("does not blame a receiver for refusing what cannot be read", () => {
  const refusal = { outcome: answered(400), scripted: { malformed: true } };
  const { rows } = accountOf([accepted("a", 1), settled("a", 2), attempted("a", 2, refusal)]);

  expect(rows.map((row) => callbackWords(row, 0))).toEqual([
    { text: "unreadable: not JSON, your receiver: 400", tone: "warm" },
  ]);
});

test("says that a success was reversed, and that it cost nothing in the end", () => {
  const told = attempted("a", 3, { delivery: 2, scripted: { reverse: true } });
  const { rows } = accountOf([accepted("a", 1), settled("a", 2), attempted("a", 2), reversed("a", 3), told]);

  expect(rows.map((row) => [backendAndCustomerOf(row), callbackWords(row, 0), saleOf(row).problems])).toEqual([
    [
      { knows: "delivered, then reversed", got: "KES 50.00, then reversed", paid: "nothing" },
      { text: "delivered, then reversed", tone: "warm" },
      ["failed", "attention"],
    ],
  ]);
});

test.each([
  ["never told", "warm", true, { dropped: "a rule drops it" }, "a rule drops it"],
  ["not sent: no callback URL", "plain", false, {}, "no callback URL registered for airtime"],
] as const)("tells a callback that was dropped from one that has no URL: %s", (text, tone, isOdd, dropped, none) => {
  const callback = { before_ack: false, reorder: 0, deliveries: [], ...dropped };
  const plan = { ...accepted("", 0).plan, callback };
  const { rows } = accountOf([accepted("a", 1, { plan }), settled("a", 2, { callback: { none } })]);

  expect(rows.map((row) => [callbackWords(row, 0), saleOf(row).problems.includes("attention")])).toEqual([
    [{ text, tone }, isOdd],
  ]);
});

const OUTCOME = { status: 429, body: '{"status_code":429}' };

test("one row stands for a sale and says its sums, whichever of its requests is asked", () => {
  const { rows } = accountOf([
    accepted("lost", 1, LOST),
    accepted("again", 2),
    settled("lost", 3),
    settled("again", 3),
    attempted("again", 4),
  ]);

  expect(
    rows.map((row) => ({
      repeats: repeatWords(row),
      got: answerWords(row),
      state: stateWords(row).text,
      truths: backendAndCustomerOf(row),
      price: priceOf(row),
      problems: saleOf(row).problems,
      risk: moneyRiskOf(row),
    })),
  ).toEqual(
    Array.from({ length: 2 }, () => ({
      repeats: "asked 2×, sold 2×, told 1×",
      got: { text: "no answer, then 200 · sold twice", tone: "bad" },
      state: "Sold twice",
      truths: { knows: "nothing, then delivered", got: "KES 100.00", paid: "100.00" },
      price: 10_000,
      problems: ["lost", "pending", "attention", "sold-twice"],
      risk: "sold-twice",
    })),
  );
  expect(ask({ rows }).counts.get("")).toBe(1);
});

const LEFT = { rules: appliedRules({ ack: { delay: 900 } }) };

test.each<[string, readonly AccountEvent[], readonly number[]]>([
  ["sent again while its client cannot know", [accepted("a", 1, LOST), accepted("b", 2)], [2, 2]],
  ["sent again after an answer", [accepted("a", 1), accepted("b", 2)], [1, 1]],
  ["sent again long after", [accepted("a", 1, LOST), accepted("b", 2 + 11 * 60)], [1, 1]],
  ["of another amount", [accepted("a", 1, LOST), accepted("b", 2, { order: airtime(60) })], [1, 1]],
  ["sent again by Kredo itself", [accepted("a", 1, LOST), accepted("b", 2, { traits: { isOfKredo: true } })], [1, 1]],
  [
    "sent again after a refusal that lied",
    [accepted("a", 1, { rules: appliedRules({ ack: { delay: 0, ...OUTCOME } }) }), accepted("b", 2)],
    [1, 1],
  ],
  [
    "sent again just before its client was seen to leave",
    [accepted("a", 1, LEFT), accepted("b", 1.45), clientLeft("a", 1.5, 500)],
    [2, 2],
  ],
  ["sent again twice", [accepted("a", 1, LOST), accepted("b", 2, LOST), accepted("c", 3)], [3, 3, 3]],
])("an order %s", (_, events, sizes) => {
  const { rows } = accountOf(events);

  expect(rows.map(({ sale }) => sale.length)).toEqual(sizes);
});

test("says that a refusal of an accepted order misled, and counts nothing as sold unknown or twice", () => {
  const misled = { rules: appliedRules({ ack: { delay: 0, ...OUTCOME } }) };
  const { rows } = accountOf([accepted("a", 1, misled), settled("a", 2), accepted("b", 3)]);

  const [row] = rows;
  expect(row && [answerWords(row).text, whyWords(row), saleOf(row).problems]).toEqual([
    "429",
    expect.stringMatching(/^the gateway accepted it and answered with a refusal \(429\)/),
    ["pending", "attention"],
  ]);
});

test("what Kredo itself sent puts no backend's money at risk", () => {
  const traits = { isOfKredo: true } as const;
  const plan = { ...accepted("", 0).plan, settleAfter: "never" } as const;
  const sent = [accepted("a", 1, { ...LOST, traits }), settled("a", 2), accepted("stuck", 3, { plan, traits })];
  const { rows } = accountOf(sent);

  expect(rows.map((row) => [moneyRiskOf(row), saleOf(row).problems])).toEqual([
    [undefined, ["lost", "pending"]],
    [undefined, []],
  ]);
});

test("finds the orders that never settle by the money that they hold", () => {
  const plan = { ...accepted("", 0).plan, settleAfter: "never" } as const;

  const { sales } = ask(accountOf([accepted("stuck", 1, { plan }), accepted("waiting", 2)]), { problem: "held" });

  expect(
    sales.map((row) => ({
      id: row.request.requestId,
      truths: backendAndCustomerOf(row),
      problems: saleOf(row).problems,
    })),
  ).toEqual([
    {
      id: "stuck",
      truths: { knows: "accepted", got: "nothing yet", paid: "nothing yet, 50.00 held" },
      problems: ["attention", "held"],
    },
  ]);
});

test("names a request by its recipient, or by its path", () => {
  const { sales } = ask(accountOf(AFTERNOON));

  expect(sales.slice(0, 3).map(({ request }) => titleOf(request))).toEqual([
    "GET /api/v2/account-details",
    "Airtime to +254 712 345 678",
    "Airtime to +254 712 345 678",
  ]);
});

test("writes a request as a line that a shell reads back to the same words", () => {
  const message = `It's "KES 5" & $HOME \`date\` !!\n\\ Habari 👋 <script>`;
  const row = rowOf(1, accepted("sent", 1, { order: sms(message) }));

  const caller = { consumerKey: `o'dd "key" $HOME`, consumerSecret: "s'ec\\u0041 `ret` \\" };
  const line = asCurl(row, { origin: "http://localhost:8254", ...caller });

  const said = execFileSync("sh", ["-c", `curl() { printf '%s\\0' "$@"; }; ${line}`], { encoding: "utf8" }).split("\0");
  expect(said).toEqual([
    "http://localhost:8254/api/v2/sms",
    "-u",
    `${caller.consumerKey}:${caller.consumerSecret}`,
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

test("writes a callback as a line that sends it again", () => {
  const line = postCurl(
    "http://localhost:3000/hooks",
    [
      ["Content-Type", "application/json"],
      ["Host", "x"],
    ],
    "{}",
  );

  expect(line).toBe(
    "curl 'http://localhost:3000/hooks' \\\n  -H 'Content-Type: application/json' \\\n  --data-raw '{}'",
  );
});

function ask({ rows }: Pick<AccountReading, "rows">, query: Readonly<Record<string, string>> = {}) {
  return findSales(rows, readFilter(query));
}

function accountOf(events: readonly AccountEvent[]): AccountReading {
  const account = new AccountReading();
  [opened(), ...events].forEach((event, index) => account.take({ number: index + 1, event }));
  return account;
}
