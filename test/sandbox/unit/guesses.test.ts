import { expect, test } from "vitest";
import { configSchema } from "../../../src/config.ts";
import { isShown, kredoValue } from "../../../src/calibration/calibration.ts";
import { GUESSES } from "../../../src/calibration/guesses.ts";
import type { ObservedExchange } from "../../../src/calibration/observed-exchange.ts";
import { PROFILES } from "../../../src/gateway/settings/profiles.ts";

const ID = "Ab3Z0f8fad5bd9cb469fa16570867728950e9xY7";
const UUID = "0f8fad5b-d9cb-469f-a165-70867728950e";
const HEX = "0f8fad5bd9cb469fa16570867728950e";
const ACCEPTED = { status_code: 200, description: "Operation successful.", request_id: ID };
const BROKE = { status_code: 402, description: "Insufficient funds.", request_id: null };
const TOO_SMALL = { validation_errors: { amount: ["The amount must be between 5 and 10000."] } };
const CALLBACK = { request_id: UUID, charge: 95, account_balance: 5, result_code: 200, result_desc: "Delivered." };

const SETTINGS = configSchema.parse({});
const SHOWN = GUESSES.filter(isShown);

test("each guess has a value of Kredo's and an extractor, or says why no exchange shows it", () => {
  const incomplete = GUESSES.filter((guess) =>
    isShown(guess) ? guess.kredo === undefined && guess.setting === undefined : !/^[A-Z].{20,}\.$/.test(guess.hidden),
  );

  expect(incomplete).toEqual([]);
});

test("the value of each guess that an exchange shows is what Kredo does by default", () => {
  const values = SHOWN.map((guess) => [guess.id, kredoValue(guess, SETTINGS)]);

  expect(Object.fromEntries(values)).toMatchObject({
    "request-id": "uuid",
    duplicates: "accept",
    "duplicate-window": 300_000,
    "refusal-request-id": "id",
    "rate-limit": "none",
    "refusal-401": "Unauthorized.",
    "result-code-timed-out": 504,
    "callback-accept": "none",
    "charge-failed-sms": false,
  });
});

test("each guess has an id of its own", () => {
  const ids = GUESSES.map(({ id }) => id);

  expect(new Set(ids).size).toBe(ids.length);
  expect(ids.length).toBeGreaterThan(40);
});

test.each(PROFILES)("no guess fails on what is no exchange with the gateway, with profile %s", (profile) => {
  const settings = configSchema.parse({ profile });
  const strange: ObservedExchange[] = [
    {},
    { body: null },
    { body: "<html>" },
    { body: [1] },
    { body: { error: "no" } },
    { body: { validation_errors: "no" } },
    { body: { organization: 1, status_code: "200" } },
    { request: { body: "{" }, body: {} },
  ];

  const found = SHOWN.flatMap(({ id, extract }) =>
    strange.flatMap((exchange) => (extract(exchange, settings) === undefined ? [] : [id])),
  );

  expect(found).toEqual(["validation"]);
});

const UNSUPPORTED = { status_code: 415, description: "Unsupported media type." };
const WRONG_NUMBER = { validation_errors: { phone_number: ["No."] } };
const ORDER = { phone_number: "+254712345678", amount: 100 };
const BLANK = { phone_number: "254712345678", message: "  ", sender_id: "ACME" };
const TEN_TO_TWELVE = "The phone number must be between 10 and 12 digits.";
const REFUSED = { status_code: 422, description: "Validation failed." };
const REPEATED = { ...CALLBACK, charge: 0, result_code: 409, result_desc: "Similar request within 10 minutes." };
const PROCESSING = { ...CALLBACK, result_code: 100, result_desc: "Message in processing." };
const DELIVERED = "Airtime top-up of KES 50.00 to 254712345678 was successful.";
const invalid = (errors: object): ObservedExchange => ({ body: { validation_errors: errors } });
const DETAILS = {
  status_code: 200,
  request_id: UUID,
  organization: {
    name: "x",
    details: { available_balance: "9.50", mpesa_account_top_up_code: "B9E573" },
    accounts: [{ account: "CONNECT", service_name: "sms" }],
  },
};

test("a prefix that the settings know is no other prefix", () => {
  const settings = configSchema.parse({ numbers: { prefixes: { "763": "airtel" } } });
  const guess = SHOWN.find(({ id }) => id === "other-prefixes");

  expect(guess?.extract({ request: { body: { phone_number: "254763345678" } }, body: ACCEPTED }, settings)).toBe(
    undefined,
  );
});

test.each<[string, ObservedExchange, unknown]>([
  ["request-id", { body: ACCEPTED }, "padded"],
  ["request-id", { body: JSON.stringify(CALLBACK) }, "uuid"],
  ["request-id", { body: { ...ACCEPTED, request_id: "AG_2025" } }, "7 characters"],
  ["request-id", { body: BROKE }, undefined],
  ["refusal-request-id", { body: BROKE }, null],
  ["refusal-request-id", { body: { ...BROKE, request_id: UUID } }, "id"],
  ["refusal-request-id", { body: { status_code: 402 } }, "none"],
  ["refusal-request-id", { body: TOO_SMALL }, undefined],
  ["refusal-request-id", { body: ACCEPTED }, undefined],
  ["validation", { body: TOO_SMALL }, "bare"],
  ["validation", { body: { ...TOO_SMALL, status_code: 422, description: "x", request_id: UUID } }, "full"],
  ["validation", { body: { ...TOO_SMALL, status_code: 422, message: "x" } }, "with message and status_code"],
  [
    "validation",
    { body: { ...REFUSED, validation_errors: { ...TOO_SMALL.validation_errors, status_code: 422 } } },
    "nested",
  ],
  ["validation", { body: { ...REFUSED, amount: ["No."] } }, "root"],
  ["validation", { body: REFUSED }, undefined],
  ["refusal-request-id", { body: { ...REFUSED, amount: ["No."] } }, undefined],
  ["request-id", { body: { ...ACCEPTED, request_id: HEX } }, "hex"],
  ["request-id", { body: { ...ACCEPTED, request_id: `Ab3Z0${HEX}9xY7a` } }, "padded_5"],
  ["request-id", { body: { ...ACCEPTED, request_id: `Ab3Z0${HEX}9xY7` } }, "41 characters"],
  ["validation-sentences", { body: TOO_SMALL }, "laravel"],
  ["validation-sentences", invalid({ amount: ["The amount must be between 5.00 and 9.00."] }), "kredo"],
  ["validation-sentences", invalid({ amount: ["Between 5 and 9."] }), "another sentence"],
  ["validation-sentences", invalid({ amount: ["The amount must be a number."] }), "laravel"],
  ["validation-sentences", invalid({ amount: ["The amount field is required."] }), undefined],
  [
    "validation-sentences",
    invalid({ phone_number: ["The phone number must be between 10 and 12 digits."] }),
    "laravel",
  ],
  ["validation-sentences", invalid({ phone_number: ["The phone number field is required."] }), "laravel"],
  ["validation-sentences", { body: { ...REFUSED, phone_number: ["The phone number field is required."] } }, "laravel"],
  [
    "validation-sentences",
    invalid({ amount: ["The amount must be a number."], phone_number: ["No."] }),
    "another sentence",
  ],
  [
    "validation-sentences",
    invalid({ amount: ["The amount must be a number."], phone_number: ["The phone_number field is required."] }),
    "mixed",
  ],
  ["validation-sentences", invalid({ sender_id: ["The sender_id must be a string."] }), "kredo"],
  ["validation-sentences", invalid({ sender_id: ["Unauthorized"] }), undefined],
  ["unregistered-sender", invalid({ sender_id: ["The sender_id must be a string."] }), undefined],
  ["unregistered-sender", invalid({ sender_id: ["Unauthorized"] }), "laravel"],
  ["unregistered-sender", invalid({ sender_id: ["Unauthorized"], status_code: 422 }), "laravel"],
  ["unregistered-sender", invalid({ sender_id: ["The sender_id ACME is not registered."] }), "kredo"],
  ["unregistered-sender", invalid({ sender_id: ["No."] }), "another sentence"],
  ["unregistered-sender", invalid({ sender_id: ["The sender id field is required."] }), undefined],
  ["validation-sentences", invalid({ amount: ["The amount is required"] }), "another sentence"],
  ["validation-sentences", invalid({ phone_number: ["The phone_number field is required."] }), "kredo"],
  ["http-status", { status: 402, body: BROKE }, "mirror"],
  ["http-status", { status: 200, body: BROKE }, "always_200"],
  ["http-status", { status: 400, body: BROKE }, "400 for 402"],
  ["http-status", { body: BROKE }, undefined],
  ["decimals", { text: '{"available_balance": 95}' }, "trimmed"],
  ["decimals", { text: '{"charge":"95.00"}' }, "fixed"],
  ["decimals", { text: '{"charge":95.15}' }, undefined],
  ["decimals", { text: '{"charge":95.00,"account_balance":9905.150}' }, 3],
  ["amount-type", { request: { body: ORDER }, body: ACCEPTED }, "lenient"],
  ["phone-numbers", { request: { body: JSON.stringify(ORDER) }, body: ACCEPTED }, "lenient"],
  ["phone-numbers", { request: { body: ORDER }, body: { validation_errors: { phone_number: ["No."] } } }, "strict"],
  ["phone-numbers", { request: { body: { ...ORDER, phone_number: "254712345678" } }, body: ACCEPTED }, undefined],
  ["phone-numbers", { request: { body: ORDER }, ...invalid({ phone_number: [TEN_TO_TWELVE] }) }, "digits"],
  ["blank-messages", { request: { body: BLANK }, body: ACCEPTED }, "accept"],
  ["blank-messages", { request: { body: BLANK }, ...invalid({ message: ["Required."] }) }, "refuse"],
  ["blank-messages", { request: { body: { ...BLANK, message: "Habari" } }, body: ACCEPTED }, undefined],
  ["duplicates", invalid({ phone_number: ["A similar request within 5 minutes."] }), "refuse"],
  ["duplicates", { body: REPEATED }, "fail_by_callback"],
  ["duplicates", { body: CALLBACK }, undefined],
  ["duplicate-window", { body: REPEATED }, 600_000],
  ["result-code-duplicate", { body: REPEATED }, 409],
  ["result-desc", { body: { ...CALLBACK, result_desc: "You have topped up 254712345678 with Ksh. 50." } }, "statum"],
  ["result-desc", { body: { ...CALLBACK, result_desc: DELIVERED } }, "kredo"],
  ["result-desc", { body: CALLBACK }, undefined],
  [
    "duplicate-window",
    { body: { validation_errors: { phone_number: ["A similar request within 5 minutes."] } } },
    300_000,
  ],
  ["top-up-code", { body: DETAILS }, "mpesa"],
  ["listed-accounts", { body: DETAILS }, "sender_ids"],
  ["balance-type", { body: DETAILS }, "string"],
  ["callback-values", { body: CALLBACK }, "numbers"],
  ["callback-values", { body: { ...CALLBACK, result_code: "200", charge: "95", account_balance: "5" } }, "text"],
  ["callback-values", { body: { ...CALLBACK, result_code: "200" } }, "mixed"],
  ["result-code-failed", { body: { ...CALLBACK, result_code: "417", result_desc: "Could not complete." } }, 417],
  ["result-code-failed", { body: { ...CALLBACK, result_code: 48213, result_desc: "No." } }, "another value"],
  ["result-code-timed-out", { body: { ...CALLBACK, result_code: 504, result_desc: "Timed out." } }, 504],
  ["result-code-failed", { body: { ...CALLBACK, result_code: 504, result_desc: "Timed out." } }, undefined],
  ["callback-user-agent", { request: { headers: { "User-Agent": "okhttp" }, body: CALLBACK } }, "okhttp"],
  ["callback-user-agent", { request: { headers: { "User-Agent": "Jane/1" }, body: CALLBACK } }, "another value"],
  ["callback-accept", { request: { headers: {}, body: CALLBACK } }, "none"],
  ["callback-accept", { body: CALLBACK }, undefined],
  ["result-code-failed", { body: PROCESSING }, undefined],
  ["charge-failed-sms", { body: PROCESSING }, undefined],
  ["charge-failed-sms", { body: { ...CALLBACK, result_code: 500, result_desc: "Message failed." } }, true],
  ["rate-limit", { body: { status_code: 429, description: "Too many requests." } }, "limited"],
  ["refusal-401", { body: { status_code: 401, description: "Unauthenticated." } }, "Unauthenticated."],
  ["unknown-fields", { request: { body: { ...ORDER, reference: "1" } }, body: ACCEPTED }, "ignored"],
  ["unknown-fields", { request: { body: ORDER }, body: ACCEPTED }, undefined],
  ["unknown-fields", { request: { body: { ...ORDER, reference: "1" } }, body: TOO_SMALL }, undefined],
  [
    "unknown-fields",
    { request: { body: { ...ORDER, reference: "1" } }, body: { validation_errors: { reference: ["No."] } } },
    "refused",
  ],
  ["encoded-bodies", { request: { headers: { "content-encoding": "gzip" } }, body: ACCEPTED }, "accepted"],
  ["encoded-bodies", { request: { headers: { "content-encoding": "gzip" } }, body: UNSUPPORTED }, "refused"],
  ["encoded-bodies", { request: { headers: { "content-encoding": "identity" } }, body: ACCEPTED }, undefined],
  [
    "encoded-bodies",
    { request: { headers: { "content-encoding": "gzip" }, body: CALLBACK }, body: ACCEPTED },
    undefined,
  ],
  ["other-prefixes", { request: { body: { phone_number: "254763345678" } }, body: ACCEPTED }, "accepted"],
  ["other-prefixes", { request: { body: { phone_number: "254763345678" } }, body: WRONG_NUMBER }, "refused"],
  ["other-prefixes", { request: { body: { phone_number: "25476334567" } }, body: WRONG_NUMBER }, undefined],
  ["other-prefixes", { request: { body: { phone_number: "076334567800" } }, body: WRONG_NUMBER }, undefined],
  ["other-prefixes", { request: { body: { phone_number: "254712345678" } }, body: WRONG_NUMBER }, undefined],
  ["refusal-401", { body: { status_code: 401, description: "Who are you, Jane?" } }, "another sentence"],
])("%s is read from %j as %j", (id, exchange, value) => {
  const guess = SHOWN.find((one) => one.id === id);

  expect(guess?.extract(exchange, SETTINGS)).toBe(value);
});
