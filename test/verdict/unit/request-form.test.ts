import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { NO_MONEY } from "../../../src/gateway/domain/kes.ts";
import { accepted, observationsOf, queried, refused, request, unread } from "../../support/finding-events.ts";
import { sms } from "../../support/gateway/world.ts";

test("credentials-in-url: names the parameters that carried a secret", () => {
  const events = [queried("one", 0, { traits: { exposed: ["consumer_key", "consumer_secret"] } })];

  const seen = observationsOf("credentials-in-url", events);

  expect(seen).toEqual([
    {
      subject: "consumer_key, consumer_secret",
      seen: "A request carried consumer_key, consumer_secret in its URL.",
      exchanges: [request("one")],
    },
  ]);
});

test.each<[string, readonly AccountEvent[], number]>([
  ["sees it in refused requests too", [refused("one", 0, { code: 401, traits: { exposed: ["token"] } })], 1],
])("credentials-in-url: %s", (_, events, count) => {
  expect(observationsOf("credentials-in-url", events)).toHaveLength(count);
});

test.each([
  ["nothing is to be said of a request", [accepted("one", 0)]],
  ["something else is", [accepted("one", 0, { traits: { isFirstOnConnection: true } })]],
  ["no parameter was a secret", [accepted("one", 0, { traits: { exposed: [] } })]],
])("credentials-in-url: reports nothing when %s", (_, events) => {
  expect(observationsOf("credentials-in-url", events)).toEqual([]);
});

const invalid = (fields: Record<string, unknown>, ...wrong: string[]): AccountEvent =>
  unread("one", 0, {
    code: 422,
    body: JSON.stringify(fields),
    validationErrors: Object.fromEntries(wrong.map((field) => [field, ["It is wrong."]])),
  });

test("lenient-format: sees an amount that came as a number", () => {
  const events = [invalid({ phone_number: "254712345678", amount: 100 }, "amount")];

  const seen = observationsOf("lenient-format", events);

  expect(seen).toEqual([
    {
      subject: "amount",
      seen: 'amount was sent as a number and refused; it must be a string of digits with at most two decimals, such as "100".',
      exchanges: [request("one")],
    },
  ]);
});

test.each(["KES 1,000", "Ksh. 50", "1 000", "99.999", "100/=", " 100 "])(
  "lenient-format: sees the amount %j",
  (amount) => {
    expect(observationsOf("lenient-format", [invalid({ amount }, "amount")])).toMatchObject([{ subject: "amount" }]);
  },
);

test.each([
  ["0712345678", '"0712***678"'],
  ["+254712345678", '"+254******678"'],
  ["+254 712 345-678", '"+254 *** ***-678"'],
  ["712345678", '"7123**678"'],
  [254712345678, "a number"],
])("lenient-format: sees the number %j without printing it", (phone_number, form) => {
  const [observation] = observationsOf("lenient-format", [invalid({ phone_number, amount: "100" }, "phone_number")]);

  expect(observation?.seen).toBe(
    `phone_number was sent as ${form} and refused; it must be 254 and nine digits in a string, such as "254712345678".`,
  );
});

test("lenient-format: sees both fields of one request", () => {
  const events = [invalid({ phone_number: "0712345678", amount: 100 }, "phone_number", "amount")];

  expect(observationsOf("lenient-format", events).map(({ subject }) => subject)).toEqual(["amount", "phone_number"]);
});

test("lenient-format: sees what only a lenient setting took", () => {
  const events = [accepted("one", 0, { traits: { lenient: ["amount"] } })];

  const [observation] = observationsOf("lenient-format", events);

  expect(observation?.seen).toBe(
    "amount was sent in a format that this sandbox accepts and the document's strict rules refuse.",
  );
});

test("other-charset: sees an order whose Content-Type names a charset other than UTF-8", () => {
  const events = [accepted("one", 0, { traits: { lenient: ["charset"] } }), accepted("two", 1)];

  expect(observationsOf("lenient-format", events)).toEqual([]);
  expect(observationsOf("other-charset", events)).toEqual([
    {
      subject: "charset",
      seen: "An order's Content-Type named a charset other than UTF-8.",
      exchanges: [request("one")],
    },
  ]);
});

test.each([
  ["the form is right", [accepted("one", 0)]],
  ["the amount is past the limits", [invalid({ amount: "20000" }, "amount")]],
  ["the amount is no amount", [invalid({ amount: "many" }, "amount")]],
  ["the amount is missing", [invalid({}, "amount")]],
  ["the amount is a list", [invalid({ amount: [100] }, "amount")]],
  ["another field was refused", [invalid({ phone_number: "254712345678", amount: 100 }, "sender_id")]],
  ["the number belongs to no carrier", [invalid({ phone_number: "254763000000" }, "phone_number")]],
  ["the number is of another country", [invalid({ phone_number: "+255712345678" }, "phone_number")]],
  ["the number is too short", [invalid({ phone_number: "0712" }, "phone_number")]],
  [
    "the body is cut off",
    [unread("one", 0, { code: 422, body: '{"amount": 100, "phone', validationErrors: { amount: ["It is wrong."] } })],
  ],
  [
    "the body is no object",
    [unread("one", 0, { code: 422, body: "null", validationErrors: { amount: ["It is required."] } })],
  ],
  ["the refusal is of another kind", [unread("one", 0, { code: 400, body: '{"amount": 100}' })]],
])("lenient-format: reports nothing when %s", (_, events) => {
  expect(observationsOf("lenient-format", events)).toEqual([]);
});

const sent = (message: string) => accepted("one", 0, { order: sms(message) });

test("costly-characters: names the character, and what it costs", () => {
  const events = [sent(`Mfano’s${" soko".repeat(20)}`)];

  const seen = observationsOf("costly-characters", events);

  expect(seen).toEqual([
    {
      subject: "’ (U+2019)",
      seen: `An SMS of 107 characters took 2 parts for KES 1.60 because of ’ (U+2019); spelt plainly, it takes 1.`,
      exchanges: [request("one")],
    },
  ]);
});

test("costly-characters: names all of several characters", () => {
  const [observation] = observationsOf("costly-characters", [sent(`“Karibu” – soma… –\u200b${"a".repeat(150)}`)]);

  expect(observation?.subject).toBe("“ (U+201C), ” (U+201D), – (U+2013), … (U+2026), U+200B");
  expect(observation?.seen).toMatch(/because of “ .+, U\+200B; spelt plainly, it takes 2\.$/);
});

test.each([
  ["the message is plain", "Karibu ".repeat(40)],
  ["the message takes one part as it is", "Mfano’s soko"],
  ["the message is in Arabic, with a typographic quote", `${"مرحبا بكم ".repeat(12)}’`],
  ["an emoji needs UCS-2 anyway", `Asante 🎉 – ${"a".repeat(80)}`],
  ["the accents belong to the words", `Gĩkũyũ na’ ${"a".repeat(80)}`],
  ["the accents belong to a name", `João’s  ${"a".repeat(80)}`],
  ["the plain spelling takes as many parts", `’${"€".repeat(80)}`],
])("costly-characters: reports nothing when %s", (_, message) => {
  expect(observationsOf("costly-characters", [sent(message)])).toEqual([]);
});

test("costly-characters: reports nothing for airtime, nor for a message that could not be paid for", () => {
  const unpaid = accepted("one", 0, { order: sms(`’${"a".repeat(100)}`), hold: NO_MONEY });

  expect(observationsOf("costly-characters", [accepted("two", 0), unpaid])).toEqual([]);
});
