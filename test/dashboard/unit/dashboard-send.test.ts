import { expect, test } from "vitest";
import type { AccountEvent } from "../../../src/gateway/account/account-event.ts";
import { AccountReading } from "../../../src/dashboard/live/account-reading.ts";
import { bodyOfDraft, findRow, listMagicNumbers, TEST_ORDER } from "../../../src/dashboard/actions/draft.ts";
import { running, scenarioWith } from "../../support/gateway/ask.ts";
import { accepted, cut, opened, refused } from "../../support/finding-events.ts";
import { airtime, sms } from "../../support/gateway/world.ts";

const SAFARICOM = "254712345678";

test("what is sent has the document's own fields", () => {
  const draft = { ...TEST_ORDER, senderId: "SANDBOX", message: "Habari" };

  expect(JSON.parse(bodyOfDraft(draft))).toEqual({ phone_number: SAFARICOM, amount: "50" });
  expect(JSON.parse(bodyOfDraft({ ...draft, operation: "sms" }))).toEqual({
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
  const invalid = bodyOfDraft({ ...TEST_ORDER, amount: "x".repeat(50) }).slice(0, 60);
  const rows = rowsAfter(
    cut("another", 1, { order: sms("Jambo") }),
    accepted("message", 2, { order: sms("Habari") }),
    accepted("airtime", 3, { order: airtime(75) }),
    refused("invalid", 4, { code: 422, order: undefined, operation: "airtime", body: invalid }),
  );

  expect(findRow(draft, rows)?.request.requestId).toBe(requestId);
});

function rowsAfter(...events: readonly AccountEvent[]) {
  const account = new AccountReading();
  [opened(), ...events].forEach((event, index) => account.take({ number: index + 1, event }));
  return account.rows;
}
