import * as fc from "fast-check";
import { CARRIERS, forEachCarrier } from "../../src/gateway/domain/carrier.ts";
import { formatDuration } from "../../src/gateway/domain/time.ts";

const carrier = fc.constantFrom(...CARRIERS);
const shillings = (least: number, most: number) =>
  fc.integer({ min: least, max: most }).map((cents) => (cents / 100).toFixed(2));
const amount = shillings(0, 999_999_999_999_999);
const millis = fc.integer({ min: 0, max: 86_400_000 });
const duration = millis.map(formatDuration);
const hundredths = fc.integer({ min: 0, max: 10_000 });
const delayKeys = fc.oneof(
  fc.record({ fixed: duration }),
  fc
    .tuple(millis, millis)
    .map(([a, b]) => ({ uniform: [formatDuration(Math.min(a, b)), formatDuration(Math.max(a, b))] })),
  fc.record({ lognormal: fc.record({ median: duration, sigma: fc.double({ min: 0, max: 3, noNaN: true }) }) }),
);
const delay = fc.oneof(duration, delayKeys);
// Texts that YAML would take for something else if they were not quoted, and any others.
const word = fc.oneof(
  fc
    .constantFrom(
      "true",
      "null",
      "0012",
      "1e3",
      "0x10",
      "~",
      "- a",
      "a #b",
      "#a",
      "*a",
      "&a",
      "!a",
      " ",
      "é€",
      "'",
      '"',
    )
    .map((odd) => `k${odd}${odd}`),
  fc.constantFrom("true", "null", "0012", "1e3", "0x10", "~", "+254722000111", ".5", "no", "2025-01-06"),
  fc
    .string({ unit: "grapheme", minLength: 1 })
    .filter((text) => !/[:\p{Cc}]/u.test(text) && text.trim() !== "" && text !== "default"),
);
const senderId = fc.oneof(fc.stringMatching(/^\d{5,6}$/), fc.stringMatching(/^[A-Z][A-Z0-9]{0,10}$/));
const clock = fc.oneof(
  fc.constantFrom("real", "manual", "x10", "x0.5"),
  fc.record({ mode: fc.constant("manual"), now: fc.constant("2025-01-06T09:00:00+03:00") }, { requiredKeys: ["mode"] }),
  fc.record({ mode: fc.constant("scaled"), scale: fc.integer({ min: 1, max: 100_000 }) }),
);
const phoneNumber = fc.stringMatching(/^254[17]\d{8}$/);

const carrierSettings = fc.record(
  {
    discount: hundredths.map((share) => `${(share / 100).toFixed(2)}%`),
    sms_price: amount,
    limits: fc.record({ min: shillings(0, 1_000), max: shillings(1_000, 5_000) }),
    latency: fc.oneof(delay, fc.record({ airtime: delay, sms: delay })),
  },
  { requiredKeys: [] },
);

const callbacks = fc.record(
  {
    airtime: fc.constantFrom("http://localhost:3000/hooks?token=a#b", "kredo:sink"),
    timeout: fc.integer({ min: 1, max: 60_000 }).map(formatDuration),
    concurrency: fc.integer({ min: 1, max: 10_000 }),
    retry: fc.record({
      attempts: fc.integer({ min: 1, max: 9 }),
      spacing: fc.oneof(duration, fc.array(duration, { minLength: 1 })),
    }),
    headers: fc.dictionary(fc.stringMatching(/^X-[A-Za-z]+$/), fc.stringMatching(/^[ -~]*$/)),
    insecure: fc.boolean(),
  },
  { requiredKeys: [] },
);

const account = fc.record(
  {
    consumer_key: word,
    consumer_secret: word,
    balance: amount,
    seed: fc.maxSafeNat(),
    clock,
    callbacks,
    sender_ids: fc.uniqueArray(senderId),
    organization: fc.record({ name: word, location: word }, { requiredKeys: [] }),
    rate_limit: fc.record(
      { requests: fc.integer({ min: 1 }), per: fc.integer({ min: 1, max: 86_400_000 }).map(formatDuration) },
      { requiredKeys: ["requests"] },
    ),
  },
  { requiredKeys: ["consumer_key"] },
);

/** A config file's value in which nothing is wrong. */
export const writtenConfig = fc.record(
  {
    port: fc.integer({ min: 0, max: 65_535 }),
    profile: fc.constantFrom("document", "sdk", "observed"),
    seed: fc.maxSafeNat(),
    clock,
    carriers: fc.record(
      forEachCarrier(() => carrierSettings),
      { requiredKeys: [] },
    ),
    numbers: fc.record(
      { ported: fc.dictionary(phoneNumber, carrier), ported_share: fc.double({ min: 0, max: 1, noNaN: true }) },
      { requiredKeys: [] },
    ),
    latency_ms: millis,
    duplicate_window: duration,
    request_id: fc.constantFrom("uuid", "padded"),
    refusals: fc.record(
      {
        request_id: fc.constantFrom("id", null),
        validation: fc.constantFrom("full", "bare"),
        limits: fc.constantFrom("fixed", "trimmed"),
      },
      { requiredKeys: [] },
    ),
    account_details: fc.record(
      { top_up_code: fc.constantFrom("mobilemoney", "mpesa"), accounts: fc.constantFrom("products", "sender_ids") },
      { requiredKeys: [] },
    ),
    phone_numbers: fc.constantFrom("strict", "lenient"),
    callback_values: fc.constantFrom("numbers", "text"),
    hints: fc.boolean(),
    auto_accounts: fc.array(word),
    accounts: fc.uniqueArray(account, { selector: ({ consumer_key: key }) => key }),
  },
  { requiredKeys: [] },
);
