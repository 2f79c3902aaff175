import { expect, test } from "vitest";
import { CARRIERS } from "../../../src/gateway/domain/carrier.ts";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { gatewayOptions } from "../../../src/gateway/start-gateway.ts";
import { AccountReading } from "../../../src/dashboard/live/account-reading.ts";
import { bodyOf, findRow, listMagicNumbers, TEST_ORDER } from "../../../src/dashboard/header/send/draft.ts";
import {
  previewAirtime,
  previewSms,
  type Pricing,
  readPricing,
  recipientOf,
  standingOf,
} from "../../../src/dashboard/header/send/preview.ts";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { accountDetailShape } from "../../../src/control/accounts.ts";
import { toJson } from "../../../src/control/to-json.ts";
import { running, scenarioWith } from "../../support/gateway/ask.ts";
import { accepted, cut, opened, refused } from "../../support/finding-events.ts";
import { airtime, sms } from "../../support/gateway/world.ts";

const SAFARICOM = "254712345678";
const AIRTEL = "254733000111";

test("reads from the control API the prices that the gateway has", () => {
  const { carriers, numbers, phone_numbers, ucs2_concatenated, max_sms_parts } = gateway();

  const read = pricing();

  expect(read).toMatchObject({ phone_numbers, ucs2_concatenated, max_sms_parts, numbers });
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

test("what is sent has the document's own fields", () => {
  const draft = { ...TEST_ORDER, senderId: "SANDBOX", message: "Habari" };

  expect(JSON.parse(bodyOf(draft))).toEqual({ phone_number: SAFARICOM, amount: "50" });
  expect(JSON.parse(bodyOf({ ...draft, operation: "sms" }))).toEqual({
    phone_number: SAFARICOM,
    message: "Habari",
    sender_id: "SANDBOX",
  });
});

test("the magic numbers are those that rules name in full and that are switched on", () => {
  const scenario = scenarioWith(
    'name: "401: refused", when: { phone_number: "254700000401" }, then: { refuse: 401 }',
    'name: "a range", when: { phone_number: "2547000*" }, then: { refuse: 402 }',
    'name: "anyone", then: { refuse: 403 }',
    'name: "off", when: { phone_number: "254700000500" }, then: { refuse: 500 }',
  );

  const numbers = listMagicNumbers([running(scenario, { off: ["off"] })]);

  expect(numbers).toEqual([{ phoneNumber: "254700000401", does: "401: refused" }]);
});

test.each([
  ["a message by its text", { ...TEST_ORDER, operation: "sms", message: "Habari" }, "message"],
  ["airtime by its amount", { ...TEST_ORDER, amount: "75" }, "airtime"],
  ["an invalid order by what the journal kept of its body", { ...TEST_ORDER, amount: "x".repeat(50) }, "invalid"],
  ["nothing of an order that did not arrive", { ...TEST_ORDER, amount: "76" }, undefined],
] as const)("finds %s", (_, draft, requestId) => {
  const invalid = bodyOf({ ...TEST_ORDER, amount: "x".repeat(50) }).slice(0, 60);
  const rows = rowsAfter(
    cut("another", 1, { order: sms("Jambo") }),
    accepted("message", 2, { order: sms("Habari") }),
    accepted("airtime", 3, { order: airtime(75) }),
    refused("invalid", 4, { code: 422, order: undefined, operation: "airtime", body: invalid }),
  );

  expect(findRow(draft, rows)?.request.requestId).toBe(requestId);
});

function gateway() {
  const standard = gatewayOptions.parse({ numbers: { ported: { "254722000111": "telkom" } } }).gateway;
  const limits = { min: cents(1_000), max: cents(500_000) };
  const airtel = { ...standard.carriers.airtel, discount: 225, sms_price: cents(110), limits };
  return { ...standard, carriers: { ...standard.carriers, airtel }, numbers: { ...standard.numbers, ported_share: 0 } };
}

function pricing(): Pricing {
  return readPricing(toJson(accountDetailShape.shape.gateway, gateway()));
}

function rowsAfter(...events: readonly AccountEvent[]) {
  const account = new AccountReading();
  [opened(), ...events].forEach((event, index) => account.take({ number: index + 1, event }));
  return account.rows;
}
