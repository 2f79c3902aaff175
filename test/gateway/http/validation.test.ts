import { expect, test } from "vitest";
import { callGateway, sendAirtime, sendMessage, SMS, UUID } from "../../support/gateway/gateway-client.ts";
import { startTestGateway } from "../../support/gateway/test-gateway.ts";

const DOCUMENT_FORM = "The phone_number must be 254 and nine digits, the first of them 7 or 1, without a plus sign.";
const STATUM_FORM = "The phone_number must have 10 to 12 digits and be a Kenyan mobile number.";
const AMOUNT_FORM = 'The amount must be shillings as digits with at most two decimals, such as "100" or "99.50".';
const AMOUNT_LIMITS = "The amount must be between 5.00 and 10000.00.";

/** The whole body of a 422 with these errors. */
function invalid(errors: Record<string, string[]>): Record<string, unknown> {
  return {
    status_code: 422,
    description: "Validation failed.",
    validation_errors: errors,
    request_id: expect.stringMatching(UUID),
  };
}

test("says all that is wrong with an airtime request at once", async () => {
  await using sandbox = await startTestGateway();

  const { status, headers, body } = await sendAirtime(sandbox, { phone_number: "+254712345678", amount: 100 });

  expect(status).toBe(422);
  expect(headers.get("content-type")).toBe("application/json");
  expect(body).toEqual(invalid({ phone_number: [DOCUMENT_FORM], amount: ["The amount must be a string."] }));
});

test.each([
  [
    "all that is wrong with an SMS request at once",
    { phone_number: "0712345678", message: "", sender_id: "Unheard" },
    {
      phone_number: [DOCUMENT_FORM],
      message: ["The message field is required."],
      sender_id: ["The sender_id Unheard is not registered."],
    },
  ],
  [
    "which fields an empty SMS request needs",
    {},
    {
      phone_number: ["The phone_number field is required."],
      message: ["The message field is required."],
      sender_id: ["The sender_id field is required."],
    },
  ],
])("says %s", async (_what, sent, errors) => {
  await using sandbox = await startTestGateway();

  const { body } = await callGateway(sandbox, { path: SMS, body: sent });

  expect(body).toEqual(invalid(errors));
});

test.each([
  [null, "The phone_number field is required."],
  ["", "The phone_number field is required."],
  [254712345678, "The phone_number must be a string."],
  [["254712345678"], "The phone_number must be a string."],
  [{ number: "254712345678" }, "The phone_number must be a string."],
  ["+254712345678", DOCUMENT_FORM],
  ["0712345678", DOCUMENT_FORM],
  ["25471234567", DOCUMENT_FORM],
  ["2547123456789", DOCUMENT_FORM],
  ["254812345678", DOCUMENT_FORM],
  ["255712345678", DOCUMENT_FORM],
  [" 254712345678", DOCUMENT_FORM],
  ["254712345678\n", DOCUMENT_FORM],
  ["254 712 345 678", DOCUMENT_FORM],
  ["٢٥٤٧١٢٣٤٥٦٧٨", DOCUMENT_FORM],
  ["254747123456", "The phone_number 254747123456 belongs to none of the supported carriers."],
  ["254763123456", "The phone_number 254763123456 belongs to none of the supported carriers."],
])("refuses the phone number %j if phone_numbers is strict", async (phoneNumber, sentence) => {
  await using sandbox = await startTestGateway();

  const { status, body } = await sendAirtime(sandbox, { phone_number: phoneNumber });

  expect(status).toBe(422);
  expect(body).toEqual(invalid({ phone_number: [sentence] }));
});

test.each(["254712345678", "254112345678", "254100123456", "254733123456", "254771234567"])(
  "takes the phone number %s in both forms",
  async (phoneNumber) => {
    await using strict = await startTestGateway({ phone_numbers: "strict" });
    await using live = await startTestGateway({ phone_numbers: "lenient" });

    const answers = [
      await sendAirtime(strict, { phone_number: phoneNumber }),
      await sendAirtime(live, { phone_number: phoneNumber }),
    ];

    expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  },
);

test.each(["+254712345678", "0712345678"])("normalises %s if lenient", async (phoneNumber) => {
  await using sandbox = await startTestGateway({ phone_numbers: "lenient" });

  const { body } = await sendAirtime(sandbox, { phone_number: phoneNumber });

  const { accepted } = sandbox.account.state.transactions.get(String(body["request_id"])) ?? {};
  expect(accepted?.order.phoneNumber).toBe("254712345678");
});

test.each([
  "712345678",
  "+0712345678",
  "00254712345678",
  "+254 712345678",
  "0812345678",
  "25471234567",
  "++254712345678",
])("refuses %s if lenient, too", async (phoneNumber) => {
  await using sandbox = await startTestGateway({ phone_numbers: "lenient" });

  const { body } = await sendAirtime(sandbox, { phone_number: phoneNumber });

  expect(body).toEqual(invalid({ phone_number: [STATUM_FORM] }));
});

test.each([
  [100, "The amount must be a string."],
  [99.5, "The amount must be a string."],
  [null, "The amount field is required."],
  ["", "The amount field is required."],
  [["100"], "The amount must be a string."],
  [{}, "The amount must be a string."],
  ["1e2", AMOUNT_FORM],
  ["+100", AMOUNT_FORM],
  ["-100", AMOUNT_FORM],
  [" 100", AMOUNT_FORM],
  ["100\n", AMOUNT_FORM],
  ["1,000", AMOUNT_FORM],
  ["100.", AMOUNT_FORM],
  [".50", AMOUNT_FORM],
  ["100.555", AMOUNT_FORM],
  ["0x64", AMOUNT_FORM],
  ["NaN", AMOUNT_FORM],
  ["١٠٠", AMOUNT_FORM],
  ["99999999999999999999", AMOUNT_FORM],
  ["0", AMOUNT_LIMITS],
  ["4.99", AMOUNT_LIMITS],
  ["10000.01", AMOUNT_LIMITS],
])("refuses the amount %j", async (amount, sentence) => {
  await using sandbox = await startTestGateway();

  const { status, body } = await sendAirtime(sandbox, { amount });

  expect(status).toBe(422);
  expect(body).toEqual(invalid({ amount: [sentence] }));
});

test.each([
  ["5", 500],
  ["5.00", 500],
  ["99.5", 9_950],
  ["99.50", 9_950],
  ["695.15", 69_515],
  ["10000", 1_000_000],
  ["10000.00", 1_000_000],
])("takes the amount %j", async (amount, expected) => {
  await using sandbox = await startTestGateway();

  const { body } = await sendAirtime(sandbox, { amount });

  const { accepted } = sandbox.account.state.transactions.get(String(body["request_id"])) ?? {};
  expect(accepted?.order).toMatchObject({ amount: expected });
});

test.each([
  [100, 200],
  [99.5, 200],
  ["100", 200],
  [4.99, 422],
  [100.555, 422],
  [-100, 422],
  [1e21, 422],
  ["1e2", 422],
  [true, 422],
])("answers the amount %j with %i where amount_type is lenient", async (amount, status) => {
  await using sandbox = await startTestGateway({ amount_type: "lenient" });

  const answer = await sendAirtime(sandbox, { amount });

  expect(answer.status).toBe(status);
});

test("holds an amount against the limits of the number's own carrier", async () => {
  await using sandbox = await startTestGateway({
    numbers: { ported_share: 0 },
    carriers: { airtel: { limits: { min: "20", max: "500" } } },
  });

  const refused = await sendAirtime(sandbox, { phone_number: "254733123456", amount: "501" });
  const taken = await sendAirtime(sandbox, { phone_number: "254712345678", amount: "501" });

  expect(refused.body).toEqual(invalid({ amount: ["The amount must be between 20.00 and 500.00."] }));
  expect(taken.status).toBe(200);
});

test("holds an amount against the widest limits where the number says no carrier", async () => {
  await using sandbox = await startTestGateway({ carriers: { airtel: { limits: { min: "1", max: "20000" } } } });

  const { body } = await sendAirtime(sandbox, { phone_number: "none", amount: "20000.01" });

  expect(body).toEqual(
    invalid({ phone_number: [DOCUMENT_FORM], amount: ["The amount must be between 1.00 and 20000.00."] }),
  );
});

test("refuses the same airtime within the window, and takes it after that", async () => {
  await using sandbox = await startTestGateway({ phone_numbers: "lenient", duplicates: "refuse" });
  await sendAirtime(sandbox, { phone_number: "254712345678" });

  const refused = await sendAirtime(sandbox, { phone_number: "0712345678" });
  await sandbox.account.advance({ by: 300_000 }, 1_000);
  const taken = await sendAirtime(sandbox, { phone_number: "+254712345678" });

  expect(refused.body).toEqual(
    invalid({ phone_number: ["The same airtime was sent to this number less than 5m ago."] }),
  );
  expect(taken.status).toBe(200);
});

test("takes the same SMS, another amount and another number within the window", async () => {
  await using sandbox = await startTestGateway({ phone_numbers: "lenient", duplicates: "refuse" });
  await sendAirtime(sandbox);
  await sendMessage(sandbox);

  const answers = [
    await sendAirtime(sandbox, { amount: "101" }),
    await sendAirtime(sandbox, { phone_number: "254712345679" }),
    await sendMessage(sandbox),
  ];

  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
});
