import { expect, test } from "vitest";
import { CARRIERS } from "../../../src/gateway/domain/carrier.ts";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { gatewayOptions } from "../../../src/gateway/start-gateway.ts";
import { AccountReading } from "../../../src/dashboard/live/account-reading.ts";
import { bodyOf, NEW_DRAFT, queryOf, withQuery, listPicks } from "../../../src/dashboard/header/send/draft.ts";
import { explainOutcome, type Outcome, rowsOf } from "../../../src/dashboard/header/send/outcome.ts";
import {
  previewAirtime,
  previewSms,
  type Pricing,
  readPricing,
  recipientOf,
  standingOf,
} from "../../../src/dashboard/header/send/preview.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { gatewayJson } from "../../../src/control/accounts.ts";
import { running, scenarioWith } from "../../support/gateway/ask.ts";
import { accepted, appliedRules, cut, opened, refused } from "../../support/finding-events.ts";
import { airtime, sms } from "../../support/gateway/world.ts";

const SAFARICOM = "254712345678";
const AIRTEL = "254733000111";

test("reads from the control API the prices that the gateway has", () => {
  const { carriers, numbers, profile, ucs2_concatenated, max_sms_parts } = gateway();

  const read = pricing();

  expect(read).toMatchObject({ profile, ucs2_concatenated, max_sms_parts, numbers });
  expect(read.carriers.airtel).toEqual({ discount: 225, sms_price: 110, limits: { min: 1_000, max: 500_000 } });
  expect(carriers.airtel).toMatchObject(read.carriers.airtel);
});

test.each([
  [SAFARICOM, { is: "routed", route: { carrier: "safaricom", ported: false, phoneNumber: SAFARICOM } }],
  ["254722000111", { is: "routed", route: { carrier: "telkom", ported: true, phoneNumber: "254722000111" } }],
  ["0712345678", { is: "unreadable" }],
  ["", { is: "unreadable" }],
  ["254747123456", { is: "unassigned" }],
])("%j is %j", (number, recipient) => {
  expect(recipientOf(number, pricing())).toEqual(recipient);
});

test("a message costs its parts with the number's carrier", () => {
  const preview = previewSms("a".repeat(161), recipientOf(AIRTEL, pricing()), pricing());

  expect(preview).toEqual({
    measure: { encoding: "GSM-7", characters: 161, units: 161, parts: 2 },
    isTooLong: false,
    price: [{ carriers: ["airtel"], price: 220 }],
    costly: [],
  });
});

test("while there is no carrier yet, all prices are told, equal ones together", () => {
  const { price } = previewSms("Habari", recipientOf("2547", pricing()), pricing());

  expect(price).toEqual([
    { carriers: CARRIERS.filter((carrier) => carrier !== "airtel"), price: 80 },
    { carriers: ["airtel"], price: 110 },
  ]);
});

test("names what forces UCS-2, and what the plain spelling would cost", () => {
  const message = `It’s ${"a".repeat(80)}`;

  const preview = previewSms(message, recipientOf(SAFARICOM, pricing()), pricing());

  expect(preview).toMatchObject({
    measure: { encoding: "UCS-2", parts: 2 },
    price: [{ price: 160 }],
    costly: [{ character: "’" }],
  });
  expect(preview.plain).toMatchObject({
    message: message.replace("’", "'"),
    measure: { encoding: "GSM-7", parts: 1 },
    price: [{ price: 80 }],
  });
});

test("there is no plainer spelling of an emoji", () => {
  const preview = previewSms("Hongera 🎉", recipientOf(SAFARICOM, pricing()), pricing());

  expect(preview.costly).toHaveLength(1);
  expect(preview).not.toHaveProperty("plain");
});

test("a message of more parts than the gateway takes is too long", () => {
  const few = { ...pricing(), max_sms_parts: 2 };

  expect(previewSms("a".repeat(307), recipientOf(SAFARICOM, few), few).isTooLong).toBe(true);
  expect(previewSms("a".repeat(306), recipientOf(SAFARICOM, few), few).isTooLong).toBe(false);
});

test.each([
  ["100", SAFARICOM, [{ carriers: ["safaricom"], price: 9_500 }], true],
  ["100", AIRTEL, [{ carriers: ["airtel"], price: 9_775 }], true],
  ["9.99", AIRTEL, [{ carriers: ["airtel"], price: 977 }], false],
])("KES %s of airtime to %s costs %j", (amount, number, price, isWithinLimits) => {
  expect(previewAirtime(amount, recipientOf(number, pricing()), pricing())).toMatchObject({ price, isWithinLimits });
});

test("an amount that nobody can read has no price", () => {
  expect(previewAirtime("1,000", recipientOf(SAFARICOM, pricing()), pricing())).toBeUndefined();
});

test.each([
  ["SANDBOX", AIRTEL, { is: "registered" }],
  ["MFANO", SAFARICOM, { is: "registered" }],
  ["MFANO", AIRTEL, { is: "with others", carriers: ["safaricom"] }],
  ["mfano", SAFARICOM, { is: "unregistered" }],
  ["123", SAFARICOM, { is: "malformed", problem: "A sender ID of digits only is a short code and has 5 or 6 digits." }],
])("the sender ID %s to %s is %j", (senderId, number, standing) => {
  const registered = new Map([
    ["SANDBOX", new Set(["safaricom", "airtel", "telkom"] as const)],
    ["MFANO", new Set(["safaricom"] as const)],
  ]);

  expect(standingOf(senderId, recipientOf(number, pricing()), registered)).toEqual(standing);
});

test("a draft and its address say the same", () => {
  const draft = { ...NEW_DRAFT, operation: "sms", senderId: "20254", message: "Habari & karibu 🎉" } as const;

  expect(withQuery({ ...NEW_DRAFT, operation: "airtime" }, queryOf(draft))).toEqual(draft);
});

test("an address of something else leaves the draft as it is", () => {
  expect(withQuery(NEW_DRAFT, { account: "other", operation: "fax" })).toEqual(NEW_DRAFT);
});

test("what is sent has the document's own fields", () => {
  const draft = { ...NEW_DRAFT, senderId: "SANDBOX", message: "Habari" };

  expect(JSON.parse(bodyOf(draft))).toEqual({ phone_number: SAFARICOM, message: "Habari", sender_id: "SANDBOX" });
  expect(JSON.parse(bodyOf({ ...draft, operation: "airtime" }))).toEqual({ phone_number: SAFARICOM, amount: "50" });
});

test("the picks are the numbers that rules name in full, in the rules' own words", () => {
  const scenario = scenarioWith(
    'name: "401: refused", when: { phone_number: "254700000401" }, then: { refuse: 401 }',
    'name: "a range", when: { phone_number: "2547000*" }, then: { refuse: 402 }',
    'name: "anyone", then: { refuse: 403 }',
    'name: "7: days", when: { phone_number: "254700000500" }, then: { refuse: 500 }',
  );

  const picks = listPicks([running(scenario, { off: ["7: days"] })]);

  expect(picks).toEqual([
    { phoneNumber: "254700000401", scenario: scenario.name, does: "refused", isOn: true },
    { phoneNumber: "254700000500", scenario: scenario.name, does: "7: days", isOn: false },
  ]);
});

test("finds the request that an answer names", () => {
  const rows = rowsAfter(accepted("before", 1), accepted("mine", 2), accepted("another", 2));
  const outcome = answered('{"status_code":200,"request_id":"mine"}');

  const found = rowsOf({ draft: { ...NEW_DRAFT, operation: "airtime" }, after: 2, outcome }, rows);

  expect(found.map(({ request }) => request.requestId)).toEqual(["mine"]);
});

test("finds by its content what no answer names, each time that it came", () => {
  const message = { order: sms("Habari") };
  const rows = rowsAfter(
    accepted("before", 1, message),
    accepted("a", 2, message),
    cut("b", 3, message),
    accepted("c", 3, { order: airtime(50) }),
  );
  const draft = { ...NEW_DRAFT, message: "Habari", senderId: "SANDBOX" };

  const found = rowsOf({ draft, after: 2, outcome: { is: "broken", body: "", millis: 1 } }, rows);

  expect(found.map(({ request }) => request.requestId)).toEqual(["a", "b"]);
});

test("finds a request that was no order by what the journal kept of its body", () => {
  const draft = { ...NEW_DRAFT, message: "x".repeat(50) };
  const rows = rowsAfter(refused("a", 1, { code: 422, operation: "sms", body: bodyOf(draft).slice(0, 20) }));

  const found = rowsOf({ draft, after: 0, outcome: answered("no JSON") }, rows);

  expect(found).toHaveLength(1);
});

test("a connection that a scenario broke after acceptance says that the money has moved", () => {
  const rows = rowsAfter(accepted("a", 1, { rules: appliedRules({ breakage: "reset" }) }));

  const sentence = explainOutcome({ is: "broken", body: "", millis: 1 }, rows);

  expect(sentence).toContain("before any response (reset, scripted by a scenario). It was accepted anyway");
});

test("a connection that broke before acceptance says that none has, and how often the browser tried", () => {
  const rows = rowsAfter(cut("a", 1), cut("b", 1));

  const sentence = explainOutcome({ is: "broken", body: "", millis: 1 }, rows);

  expect(sentence).toContain("It was not accepted and no money moved");
  expect(sentence).toContain("sent it 2 times by itself");
});

test("an answer that broke off says how much of it came", () => {
  const { answer } = answered("");

  expect(explainOutcome({ is: "broken", answer, body: "{", millis: 1 }, rowsAfter(accepted("a", 1)))).toContain(
    "after 1 character ",
  );
});

test.each([
  [
    "asks whether the sandbox is there, where nothing is known",
    { is: "broken", body: "", millis: 1 },
    [],
    "Is the sandbox still running?",
  ],
  ["says nothing while nothing is known", { is: "waiting" }, [], undefined],
  ["says that the journal was faster", { is: "waiting" }, [accepted("a", 1)], "Already in the journal."],
  ["says what goes on without a client", { is: "given up", millis: 1 }, [accepted("a", 1)], "continues without it"],
  ["leaves an answer to itself", answered("{}"), [accepted("a", 1)], undefined],
] as const)("%s", (_, outcome, events, sentence) => {
  expect(explainOutcome(outcome, rowsAfter(...events)) ?? "").toContain(sentence ?? "");
  expect(explainOutcome(outcome, rowsAfter(...events)) === undefined).toBe(sentence === undefined);
});

function gateway() {
  const standard = gatewayOptions.parse({ numbers: { ported: { "254722000111": "telkom" } } }).gateway;
  const limits = { min: cents(1_000), max: cents(500_000) };
  const airtel = { ...standard.carriers.airtel, discount: 225, sms_price: cents(110), limits };
  return { ...standard, carriers: { ...standard.carriers, airtel }, numbers: { ...standard.numbers, ported_share: 0 } };
}

function pricing(): Pricing {
  return readPricing(gatewayJson(gateway()));
}

function rowsAfter(...events: readonly AccountEvent[]) {
  const account = new AccountReading();
  [opened(), ...events].forEach((event, index) => account.take({ number: index + 1, event }));
  return account.rows;
}

function answered(body: string): Outcome & { readonly is: "answered" } {
  return { is: "answered", answer: { status: 200, statusText: "OK", headers: [] }, body, millis: 1 };
}
