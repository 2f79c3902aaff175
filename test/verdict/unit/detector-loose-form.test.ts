import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { looseForm } from "../../../src/verdict/checks/loose-form.ts";
import { accepted, request, observationsOf, unread } from "../../support/finding-events.ts";

const invalid = (fields: Record<string, unknown>, ...wrong: string[]): AccountEvent =>
  unread("one", 0, {
    code: 422,
    body: JSON.stringify(fields),
    validationErrors: Object.fromEntries(wrong.map((field) => [field, ["It is wrong."]])),
  });

test("sees an amount that came as a number", () => {
  const events = [invalid({ phone_number: "254712345678", amount: 100 }, "amount")];

  const seen = observationsOf(looseForm, events);

  expect(seen).toEqual([
    {
      subject: "amount",
      seen: 'amount was sent as the number 100 and refused; it must be a string of digits with at most two decimals, such as "100".',
      exchanges: [request("one")],
    },
  ]);
});

test.each(["KES 1,000", "Ksh. 50", "1 000", "99.999", "100/=", " 100 "])("sees the amount %j", (amount) => {
  expect(observationsOf(looseForm, [invalid({ amount }, "amount")])).toMatchObject([{ subject: "amount" }]);
});

test.each([
  ["0712345678", '"0712***678"'],
  ["+254712345678", '"+254******678"'],
  ["+254 712 345-678", '"+254 *** ***-678"'],
  ["712345678", '"7123**678"'],
  [254712345678, "a number"],
])("sees the number %j without telling it", (phone_number, form) => {
  const [observation] = observationsOf(looseForm, [invalid({ phone_number, amount: "100" }, "phone_number")]);

  expect(observation?.seen).toBe(
    `phone_number was sent as ${form} and refused; it must be 254 and nine digits in a string, such as "254712345678".`,
  );
});

test("sees both fields of one request", () => {
  const events = [invalid({ phone_number: "0712345678", amount: 100 }, "phone_number", "amount")];

  expect(observationsOf(looseForm, events).map(({ subject }) => subject)).toEqual(["amount", "phone_number"]);
});

test("sees what only a lenient setting took", () => {
  const events = [accepted("one", 0, { traits: { loose: ["amount"] } })];

  const [observation] = observationsOf(looseForm, events);

  expect(observation?.seen).toBe(
    "amount was sent in a format that this sandbox accepts and the document's strict rules refuse.",
  );
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
])("accuses nobody when %s", (_, events) => {
  expect(observationsOf(looseForm, events)).toEqual([]);
});
