import { expect, test } from "vitest";
import { cents } from "../../../src/gateway/domain/kes.ts";
import { testControl } from "../../support/control.ts";
import { script } from "../../support/gateway/scripted.ts";

const SAFARICOM = "254712345678";
const DRY_RUN = "/accounts/default/dry-run";

test("says what an order would cost and with which carrier, and orders nothing", async () => {
  const { call, account } = testControl();

  const { body } = await call("POST", DRY_RUN, airtime("100"));

  expect(body).toEqual({
    outcome: "accepted",
    carrier: "safaricom",
    ported: false,
    price: 95,
    rules: [],
    result_code: 200,
    result_desc: "Airtime top-up of KES 100.00 to 254712345678 was successful.",
  });
  expect(account.journal.version).toBe(1);
});

test("measures a message, also an invalid one", async () => {
  const { call } = testControl();

  const valid = await call("POST", DRY_RUN, sms("a".repeat(161)));
  const unaddressed = await call("POST", DRY_RUN, sms("a".repeat(161), "2547"));

  const measure = { encoding: "GSM-7", characters: 161, units: 161, parts: 2 };
  expect(valid.body).toMatchObject({ outcome: "accepted", price: 1.6, ...measure });
  expect(unaddressed.body).toMatchObject({ outcome: "refused", code: 422, ...measure });
  expect(unaddressed.body).not.toHaveProperty("price");
});

test("says that an order would be refused while a scenario has revoked the credentials", async () => {
  const { call, account } = testControl();
  await script(account, "timeline: [{ at: 0s, do: { credentials: revoked } }]");

  const { body } = await call("POST", DRY_RUN, airtime("100"));

  expect(body).toMatchObject({ outcome: "refused", code: 401, hint: "the scenario s has revoked these credentials" });
});

test("lists everything that the gateway would refuse, in its own words", async () => {
  const { call } = testControl();

  const { body } = await call("POST", DRY_RUN, airtime("1,000", "0712345678"));

  expect(body).toMatchObject({ outcome: "refused", code: 422, description: "Validation failed." });
  expect(Object.keys(body.validation_errors)).toEqual(["phone_number", "amount"]);
});

test("names the price of an order that the wallet cannot pay", async () => {
  const { call } = testControl({ account: { balance: cents(1_000) } });

  const { body } = await call("POST", DRY_RUN, airtime("100"));

  expect(body).toMatchObject({ outcome: "refused", code: 402, description: "Insufficient funds.", price: 95 });
});

test.each([
  [{ refuse: 403 }, { outcome: "refused", code: 403 }],
  [{ connection: "reset_before_accept" }, { outcome: "broken" }],
  [{ result: { carrier: "airtel" } }, { outcome: "accepted", carrier: "airtel", ported: true }],
  [{ result: { outcome: "failed" } }, { outcome: "accepted", result_code: 500 }],
])("plays the rules: %j", async (then, expected) => {
  const { call } = testControl();
  await call("POST", "/accounts/default/scenarios", { version: 1, name: "s", rules: [{ name: "r", then }] });

  const { body } = await call("POST", DRY_RUN, airtime("100"));

  expect(body).toMatchObject({ ...expected, rules: [{ scenario: "s", rule: "r" }] });
});

test("routes by the numbers that a scenario ported", async () => {
  const { call } = testControl();
  const setup = { numbers: { ported: { [SAFARICOM]: "telkom" } } };
  await call("POST", "/accounts/default/scenarios", { version: 1, name: "moved", setup });

  const { body } = await call("POST", DRY_RUN, airtime("100"));

  expect(body).toMatchObject({ carrier: "telkom", ported: true });
});

function airtime(amount: string, phoneNumber = SAFARICOM) {
  return { operation: "airtime", body: { phone_number: phoneNumber, amount } };
}

function sms(message: string, phoneNumber = SAFARICOM) {
  return { operation: "sms", body: { phone_number: phoneNumber, message, sender_id: "SANDBOX" } };
}
