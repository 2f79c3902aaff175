import { expect, test } from "vitest";
import { callGateway, sendMessage, SMS, UUID } from "../../support/gateway/gateway-client.ts";
import { startTestGateway } from "../../support/gateway/test-gateway.ts";

/** The whole body of a 422 with one field's error. */
function invalid(field: string, sentence: string): Record<string, unknown> {
  const body = { status_code: 422, description: "Validation failed.", request_id: expect.stringMatching(UUID) };
  return { ...body, validation_errors: { [field]: [sentence] } };
}

const LONE = "The message must be valid Unicode: half of a surrogate pair stands alone.";

test.each([
  ["SANDBOx", "The sender_id SANDBOx is not registered."],
  ["sandbox", "The sender_id sandbox is not registered."],
  ["20255", "The sender_id 20255 is not registered."],
  ["2025", "A sender ID of digits only is a short code and has 5 or 6 digits."],
  ["TWELVELETTER", "A sender ID has at most 11 characters."],
  [" SANDBOX", "A sender ID neither begins nor ends with a space."],
  ["SAND\u0000BOX", "A sender ID has only the letters A to Z, digits, spaces and the signs . _ - &."],
  ["\ud83d", "A sender ID has only the letters A to Z, digits, spaces and the signs . _ - &."],
  ["__proto__", "The sender_id __proto__ is not registered."],
  ["constructor", "The sender_id constructor is not registered."],
  [null, "The sender_id field is required."],
  [20254, "The sender_id must be a string."],
])("refuses the sender ID %j", async (senderId, sentence) => {
  await using sandbox = await startTestGateway();

  const { status, body } = await sendMessage(sandbox, { sender_id: senderId });

  expect(status).toBe(422);
  expect(body).toEqual(invalid("sender_id", sentence));
});

test.each(["SANDBOX", "20254"])("takes the sender ID %s that every account has", async (senderId) => {
  await using sandbox = await startTestGateway();

  const { status } = await sendMessage(sandbox, { sender_id: senderId });

  expect(status).toBe(200);
});

test("refuses a sender ID that is registered with no carrier", async () => {
  await using sandbox = await startTestGateway({ accounts: [{ sender_ids: [{ sender_id: "MFANO", carriers: [] }] }] });

  const { status, body } = await sendMessage(sandbox, { sender_id: "MFANO" });

  expect(status).toBe(422);
  expect(body).toEqual(invalid("sender_id", "The sender_id MFANO is not registered."));
});

test.each([
  ["of 255 GSM parts", "a".repeat(255 * 153), 255, "GSM-7"],
  ["of 255 parts with a euro sign in each, two septets", "€".repeat(255 * 76), 255, "GSM-7"],
  ["of 255 UCS-2 parts", "ж".repeat(255 * 70), 255, "UCS-2"],
  ["of one part", "a".repeat(160), 1, "GSM-7"],
  ["of one part with an emoji", `${"a".repeat(68)}😀`, 1, "UCS-2"],
  ["of two parts with an emoji", `${"a".repeat(69)}😀`, 2, "UCS-2"],
  ["of spaces", "   ", 1, "GSM-7"],
])("takes a message %s", async (_length, message, parts, encoding) => {
  await using sandbox = await startTestGateway();

  const { body } = await sendMessage(sandbox, { message });

  const { accepted } = sandbox.account.state.transactions.get(String(body["request_id"])) ?? {};
  expect(accepted?.measure).toMatchObject({ parts, encoding });
  expect(accepted?.order).toMatchObject({ message });
});

test.each([
  ["GSM", "a".repeat(255 * 153 + 1)],
  ["UCS-2", "ж".repeat(255 * 70 + 1)],
  ["emoji", "😀".repeat(255 * 35 + 1)],
])("refuses a message of 256 parts in %s", async (_encoding, message) => {
  await using sandbox = await startTestGateway();

  const { body } = await sendMessage(sandbox, { message });

  expect(body).toEqual(invalid("message", "The message needs 256 parts; at most 255 are allowed."));
});

test("counts parts as ucs2_concatenated and max_sms_parts say", async () => {
  await using sandbox = await startTestGateway({ ucs2_concatenated: 67, max_sms_parts: 2 });

  const taken = await sendMessage(sandbox, { message: "ж".repeat(134) });
  const refused = await sendMessage(sandbox, { message: "ж".repeat(135) });

  expect(taken.status).toBe(200);
  expect(refused.body).toEqual(invalid("message", "The message needs 3 parts; at most 2 are allowed."));
});

test.each([
  ["high", '"\\ud83d"'],
  ["low", '"\\ude00"'],
  ["high before a letter", '"\\ud83dx"'],
  ["reversed", '"\\ude00\\ud83d"'],
])("refuses half a surrogate pair: %s", async (_which, escaped) => {
  await using sandbox = await startTestGateway();

  const { body } = await callGateway(sandbox, {
    path: SMS,
    body: `{"phone_number":"254712345678","sender_id":"SANDBOX","message":${escaped}}`,
  });

  expect(body).toEqual(invalid("message", LONE));
});

test("takes an emoji that is written as an escaped surrogate pair", async () => {
  await using sandbox = await startTestGateway();

  const { status } = await callGateway(sandbox, {
    path: SMS,
    body: '{"phone_number":"254712345678","sender_id":"SANDBOX","message":"\\ud83d\\ude00"}',
  });

  expect(status).toBe(200);
});
