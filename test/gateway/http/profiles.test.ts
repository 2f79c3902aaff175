import { expect, test } from "vitest";
import { setCallbacks } from "../../../src/gateway/engine/commands.ts";
import { type Profile, PROFILES } from "../../../src/gateway/settings/profiles.ts";
import {
  AIRTIME,
  askDetails,
  callRaw,
  DETAILS,
  callGateway,
  sendAirtime,
  sendMessage,
  SMS,
  UUID,
} from "../../support/gateway/gateway-client.ts";
import { receiveHttp } from "../../support/gateway/http-receivers.ts";
import { lastRequest } from "../../support/gateway/journal-events.ts";
import { startTestGateway, type WrittenSettings } from "../../support/gateway/test-gateway.ts";
import { callbacksTo } from "../../support/gateway/world.ts";

const DIGITS = "[0-9a-f]{12}4[0-9a-f]{3}[89ab][0-9a-f]{15}";
const PADDED = new RegExp(`^[0-9A-Za-z]{4}${DIGITS}[0-9A-Za-z]{4}$`);

test.each<[WrittenSettings, RegExp]>([
  [{ profile: "document" }, UUID],
  [{ profile: "sdk" }, UUID],
  [{ profile: "observed" }, PADDED],
  [{ request_id: "padded_5" }, new RegExp(`^[0-9A-Za-z]{5}${DIGITS}[0-9A-Za-z]{5}$`)],
  [{ request_id: "hex" }, new RegExp(`^${DIGITS}$`)],
])("with %j every request_id has its form, and is a function of the seed", async (settings, form) => {
  const idsOf = async (): Promise<unknown[]> => {
    await using sandbox = await startTestGateway({ ...settings, seed: 7 });
    const answers = [await sendAirtime(sandbox), await sendAirtime(sandbox), await askDetails(sandbox)];
    return answers.map(({ body }) => body["request_id"]);
  };

  const ids = await idsOf();

  expect(ids).toEqual(ids.map(() => expect.stringMatching(form)));
  expect(new Set(ids).size).toBe(3);
  expect(await idsOf()).toEqual(ids);
});

test.each([
  ["document", { status_code: 402, description: "Insufficient funds.", request_id: expect.stringMatching(UUID) }],
  ["sdk", { status_code: 402, description: "Insufficient funds.", request_id: expect.stringMatching(UUID) }],
  ["observed", { status_code: 402, description: "Insufficient funds.", request_id: null }],
] as const)("with profile %s an empty wallet is refused with this body", async (profile, refusal) => {
  await using sandbox = await startTestGateway({ profile, accounts: [{ balance: "1" }] });

  const { status, body } = await sendAirtime(sandbox);

  expect(status).toBe(402);
  expect(body).toEqual(refusal);
});

const REFUSED = { status_code: 422, description: "Validation failed." };
const ERRORS = { amount: ["The amount must be between 5 and 10000."] };
const FULL = { ...REFUSED, request_id: expect.stringMatching(UUID) };
const laravel = { profile: "sdk" } as const;

test.each<[WrittenSettings, object]>([
  [
    { profile: "document" },
    { ...FULL, validation_errors: { amount: ["The amount must be between 5.00 and 10000.00."] } },
  ],
  [{ profile: "sdk" }, { ...FULL, validation_errors: ERRORS }],
  [{ profile: "observed" }, { validation_errors: ERRORS }],
  [
    { ...laravel, refusals: { validation: "nested" } },
    { ...REFUSED, validation_errors: { ...ERRORS, status_code: 422 } },
  ],
  [
    { ...laravel, refusals: { validation: "root" } },
    { ...REFUSED, ...ERRORS },
  ],
])("with %j an amount of 1 is refused with this body", async (settings, refusal) => {
  await using sandbox = await startTestGateway(settings);

  const { status, body } = await sendAirtime(sandbox, { amount: "1" });

  expect(status).toBe(422);
  expect(body).toEqual(refusal);
});

test("a refusal's request_id is padded if there is one", async () => {
  await using sandbox = await startTestGateway({ request_id: "padded" });

  const { body } = await sendAirtime(sandbox, { amount: "1" });

  expect(body["request_id"]).toMatch(PADDED);
});

/** What a 422 says: in Kredo's words, and in Laravel's. */
const SENTENCES: readonly [field: string, value: unknown, kredo: string, laravel: string][] = [
  ["phone_number", "", "The phone_number field is required.", "The phone number field is required."],
  ["phone_number", 254712345678, "The phone_number must be a string.", "The phone number must be a string."],
  [
    "phone_number",
    "254744000000",
    "The phone_number 254744000000 belongs to none of the supported carriers.",
    "The selected phone number is invalid.",
  ],
  ["amount", null, "The amount field is required.", "The amount field is required."],
  ["amount", 100, "The amount must be a string.", "The amount must be a string."],
  ["amount", "1,000", "shillings as digits", "The amount must be a number."],
  ["amount", "0x64", "shillings as digits", "The amount must be a number."],
  ["amount", "99.555", "shillings as digits", "The amount format is invalid."],
  ["amount", "-100", "shillings as digits", "The amount must be between 5 and 10000."],
  ["amount", "4.99", "The amount must be between 5.00 and 10000.00.", "The amount must be between 5 and 10000."],
  ["message", "", "The message field is required.", "The message field is required."],
  ["sender_id", undefined, "The sender_id field is required.", "The sender id field is required."],
  ["sender_id", "Unheard", "The sender_id Unheard is not registered.", "Unauthorized"],
  ["sender_id", "!", "A sender ID has only", "Unauthorized"],
];

test.each(byProfile(SENTENCES.map(([field, value, kredo, other]) => ({ field, value, said: [kredo, other, other] }))))(
  "with profile $profile the $field $value is refused with: $said",
  async ({ profile, field, value, said }) => {
    await using sandbox = await startTestGateway({ profile });
    const send = field === "amount" || field === "phone_number" ? sendAirtime : sendMessage;

    const { status, body } = await send(sandbox, { [field]: value });

    expect(status).toBe(422);
    expect(errorsIn(body)).toEqual({ [field]: [expect.stringContaining(said)] });
  },
);

const STRICT = "The phone_number must be 254 and nine digits, the first of them 7 or 1, without a plus sign.";
const BETWEEN = "The phone number must be between 10 and 12 digits.";
const FORMAT = "The phone number format is invalid.";

test.each(
  byProfile([
    { number: "254712345678", said: ["", "", ""] },
    { number: "+254712345678", said: [STRICT, "", BETWEEN] },
    { number: "0712345678", said: [STRICT, "", ""] },
    { number: "712345678", said: [STRICT, BETWEEN, BETWEEN] },
    { number: "2547123456789", said: [STRICT, BETWEEN, BETWEEN] },
    { number: "254 712 345 678", said: [STRICT, BETWEEN, BETWEEN] },
    { number: "25471234567", said: [STRICT, FORMAT, FORMAT] },
    { number: "0812345678", said: [STRICT, FORMAT, FORMAT] },
  ]),
)("with profile $profile the number $number is taken, or refused with: $said", async ({ profile, number, said }) => {
  await using sandbox = await startTestGateway({ profile });

  const answers = [
    await sendAirtime(sandbox, { phone_number: number }),
    await sendMessage(sandbox, { phone_number: number }),
  ];

  const expected = said === "" ? { status: 200, errors: {} } : { status: 422, errors: { phone_number: [said] } };
  expect(answers.map(({ status, body }) => ({ status, errors: errorsIn(body) }))).toEqual([expected, expected]);
  const isLenient = said === "" && !number.startsWith("254");
  expect(lastRequest(sandbox.account).traits?.lenient).toEqual(isLenient ? ["phone_number"] : undefined);
});

test.each(byProfile([" ", "\n\t", "\u00a0"].map((message) => ({ message, said: ["", "required", "required"] }))))(
  "with profile $profile the message $message is taken, or refused as $said",
  async ({ profile, message, said }) => {
    await using sandbox = await startTestGateway({ profile });

    const { body } = await sendMessage(sandbox, { message });

    expect(errorsIn(body)).toEqual(said === "" ? {} : { message: ["The message field is required."] });
  },
);

const SHAPES = ["full", "bare", "nested", "root"] as const;

test.each(SHAPES)(
  "a client that reads a 422 as the Java SDK does finds the same errors in the shape %s",
  async (validation) => {
    await using sandbox = await startTestGateway({ profile: "sdk", refusals: { validation } });

    const answers = [
      await callGateway(sandbox, { path: AIRTIME, body: {} }),
      await callGateway(sandbox, { path: SMS, body: { sender_id: "Unheard" } }),
    ];

    expect(answers.map(({ status, body }) => ({ status, errors: errorsIn(body) }))).toEqual([
      {
        status: 422,
        errors: { phone_number: ["The phone number field is required."], amount: ["The amount field is required."] },
      },
      {
        status: 422,
        errors: {
          phone_number: ["The phone number field is required."],
          message: ["The message field is required."],
          sender_id: ["Unauthorized"],
        },
      },
    ]);
  },
);

test.each(SHAPES)("a refusal for another reason is the same in the shape %s", async (validation) => {
  await using sandbox = await startTestGateway({ refusals: { validation }, accounts: [{ balance: "1" }] });

  const { body } = await sendAirtime(sandbox);

  expect(body).toEqual({ status_code: 402, description: "Insufficient funds.", request_id: expect.any(String) });
});

test.each(["sdk", "observed"] as const)(
  "with profile %s account-details lists the registered sender IDs",
  async (profile) => {
    await using sandbox = await startTestGateway({ profile, accounts: [{ sender_ids: ["Statum", "CONNECT"] }] });

    const { body } = await askDetails(sandbox);

    expect(body["organization"]).toMatchObject({
      accounts: [
        { account: "Statum", service_name: "sms" },
        { account: "CONNECT", service_name: "sms" },
      ],
    });
  },
);

test("account-details lists the product accounts of the config under every profile", async () => {
  const accounts = [{ account: "mfano", service_name: "sms" }];
  await using sandbox = await startTestGateway({ profile: "observed", accounts: [{ organization: { accounts } }] });

  const { body } = await askDetails(sandbox);

  expect(body["organization"]).toMatchObject({ accounts });
});

const TOPPED_UP = "You have topped up 254712345678 with Ksh. 99.5.";

test.each([
  ["document", "Airtime top-up of KES 99.50 to 254712345678 was successful."],
  ["sdk", TOPPED_UP],
  ["observed", TOPPED_UP],
] as const)("with profile %s the callback of delivered airtime says: %s", async (profile, said) => {
  const [callback] = await callbacksOf({ profile }, ["99.5"]);

  expect(JSON.parse(callback ?? "")).toMatchObject({ result_code: 200, result_desc: said });
});

test.each<[WrittenSettings["decimals"], string, string]>([
  ["trimmed", '"charge":95,"account_balance":9905,', '"available_balance":9905,'],
  ["fixed", '"charge":95.00,"account_balance":9905.00,', '"available_balance":9905.00,'],
  [3, '"charge":95.00,"account_balance":9905.000,', '"available_balance":9905.000,'],
])("with decimals %s amounts are written as %s and %s", async (decimals, callback, details) => {
  expect(await callbacksOf({ decimals }, ["100"])).toEqual([expect.stringContaining(callback)]);

  await using sandbox = await startTestGateway({ decimals, accounts: [{ balance: "9905" }] });
  const response = await callRaw(sandbox, { method: "GET", path: DETAILS });
  expect(await response.text()).toContain(details);
});

/** Sends orders of these amounts, one after another, and returns the callbacks. */
async function callbacksOf(settings: WrittenSettings, amounts: readonly string[]): Promise<string[]> {
  await using receiver = await receiveHttp((_request, response) => response.end("ok"));
  await using sandbox = await startTestGateway(settings);
  setCallbacks(sandbox.account, callbacksTo(receiver.url));
  for (const amount of amounts) await sendAirtime(sandbox, { amount });
  await sandbox.account.advance({ by: 60_000 }, 5_000);
  return receiver.requests.map(({ body }) => body);
}

/** A row for each profile, with the value of its own in `said`. */
function byProfile<Row extends { readonly said: readonly string[] }>(rows: readonly Row[]) {
  return rows.flatMap((row) =>
    PROFILES.map((profile: Profile, index) => ({ ...row, profile, said: row.said[index] ?? "" })),
  );
}

/** The errors of each field, as the Java SDK reads them: lists alone, under validation_errors if there are any, or else at the root. */
function errorsIn(body: Readonly<Record<string, unknown>>): object {
  const { validation_errors: errors = body } = body;
  return Object.fromEntries(Object.entries(errors ?? {}).filter(([, sentences]) => Array.isArray(sentences)));
}
