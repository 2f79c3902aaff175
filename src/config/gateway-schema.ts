import * as z from "zod";
import { optionalKey } from "../document/optional-key.ts";
import {
  amountValue,
  carrierValue,
  complain,
  type DelayKeys,
  delayShape,
  delayValue,
  durationValue,
  keyThat,
  percentValue,
  phoneNumberKey,
  readDelay,
} from "../document/values.ts";
import type { Delay } from "../domain/delay.ts";
import { formatKes, type Kes } from "../domain/kes.ts";
import type { Operation } from "../domain/settings.ts";
import { GATEWAY, LIMITS } from "./defaults.ts";

/** Marks what neither the document nor the public pages say. */
export const GUESS = "A guess: the gateway's document does not say.";

type WrittenLatency = DelayKeys & { readonly airtime?: Delay; readonly sms?: Delay };

const latencyMapping = z.lazy(() =>
  z
    .strictObject({
      ...delayShape,
      airtime: optionalKey("Airtime alone. Default: lognormal, median 400ms, sigma 0.5.", () => delayValue),
      sms: optionalKey("SMS alone. Default: lognormal, median 900ms, sigma 0.5.", () => delayValue),
    })
    .transform(readLatency),
);

const latency = z.lazy(() =>
  z.union([durationValue.transform((fixed): Latency => ({ airtime: { fixed }, sms: { fixed } })), latencyMapping]),
);

export type Latency = Partial<Record<Operation, Delay>>;

const limits = z.lazy(() =>
  z
    .strictObject({
      min: optionalKey("KES. Default 5.00.", () => amountValue),
      max: optionalKey("KES. Default 10000.00.", () => amountValue),
    })
    .superRefine(checkLimits),
);

const carrier = z.lazy(() =>
  z.strictObject({
    discount: optionalKey('Taken off the airtime amount, as a percentage: "6%". Default "5%".', () => percentValue),
    sms_price: optionalKey(`KES for each part of a message. Default 0.80. ${GUESS}`, () => amountValue),
    limits: optionalKey("The smallest and largest airtime amount of one request.", () => limits),
    latency: optionalKey(
      `Account time from acceptance to the result: "400ms", a mapping with one of fixed, uniform and lognormal, or one for each operation. ${GUESS}`,
      () => latency,
    ),
  }),
);

const carriers = z.lazy(() =>
  z.strictObject({
    safaricom: optionalKey("Safaricom.", () => carrier),
    airtel: optionalKey("Airtel.", () => carrier),
    telkom: optionalKey("Telkom.", () => carrier),
  }),
);

const prefixKey = keyThat((text) => /^[17]\d{1,7}$/.test(text), {
  what: "a prefix",
  repair: "write national digits without 254 or 0, like 747",
});

const numbers = z.lazy(() =>
  z.strictObject({
    ported: optionalKey('The carrier that serves a number, whatever its prefix says: { "254722000111": airtel }.', () =>
      z.record(phoneNumberKey, carrierValue),
    ),
    ported_share: optionalKey(
      "The share of all numbers that another carrier serves than the prefix says, 0 to 1; which ones, a fixed hash decides. Default 0.03.",
      () => z.number().min(0).max(1),
    ),
    prefixes: optionalKey(
      'Carriers for prefixes that belong to none of the three, or to another: { "747": safaricom }. Without this, such numbers are refused.',
      () => z.record(prefixKey, carrierValue),
    ),
  }),
);

const failureCode = z.lazy(() =>
  z
    .int()
    .min(1)
    .max(999_999)
    .superRefine((code, context) => {
      if (code === GATEWAY.resultCodes.success) complain(context, { problem: `${code} means success`, repair: "choose another code" });
    }),
);

const resultCodes = z.lazy(() =>
  z.strictObject({
    failed: optionalKey(`Failed by the carrier. Default 500. ${GUESS}`, () => failureCode),
    rejected: optionalKey(`Rejected. Default 403. ${GUESS}`, () => failureCode),
    not_on_network: optionalKey(`The number is not on the carrier's network. Default 404. ${GUESS}`, () => failureCode),
    timed_out: optionalKey(`The carrier did not answer in time. Default 504. ${GUESS}`, () => failureCode),
    insufficient_funds: optionalKey(`Not enough balance to complete. Default 402. ${GUESS}`, () => failureCode),
  }),
);

const days = z.lazy(() => z.int().min(0).max(366));

const senderIdRegistration = z.lazy(() =>
  z.strictObject({
    fee: optionalKey("KES for each carrier, debited on submission. Default 10000.00.", () => amountValue),
    business_days: optionalKey("How long a decision takes: Monday to Friday in Nairobi, on the account's clock.", () =>
      z
        .strictObject({ min: optionalKey("Default 2.", () => days), max: optionalKey("Default 3.", () => days) })
        .superRefine(checkBusinessDays),
    ),
    require_documents: optionalKey("Asks for the authorization letter and the registration certificate by name. Default false.", () =>
      z.boolean(),
    ),
  }),
);

/** The keys that say how the gateway behaves, the same for every account. */
export const gatewayShape = {
  profile: optionalKey(
    "document follows the gateway's document to the letter; statum follows what is public of the live gateway where they differ. Default document.",
    () => z.enum(["document", "statum"]),
  ),
  http_status: optionalKey(`Whether the HTTP status repeats status_code or is always 200. Default mirror. ${GUESS}`, () =>
    z.enum(["mirror", "always_200"]),
  ),
  amount_type: optionalKey(`lenient also takes a JSON number as an airtime amount. Default strict. ${GUESS}`, () =>
    z.enum(["strict", "lenient"]),
  ),
  ucs2_concatenated: optionalKey(
    "Characters in each part of a longer message outside the GSM alphabet: 70 as the document says, 67 as 3GPP TS 23.040 has it. Default 70.",
    () => z.literal([70, 67]),
  ),
  max_sms_parts: optionalKey(`Parts that one message may have; more are refused with 422. Default 255. ${GUESS}`, () =>
    z.int().min(1).max(255),
  ),
  duplicate_window: optionalKey(
    `How long the same phone number and amount are refused with 422 after an airtime request; "0" never refuses. Default "0", and "5m" with profile statum. ${GUESS}`,
    () => durationValue,
  ),
  insufficient_funds: optionalKey(
    "What happens to a request that the wallet cannot pay: 402 at once, or accepted and failed by its callback. Default refuse.",
    () => z.enum(["refuse", "fail_by_callback"]),
  ),
  charge_failed_sms: optionalKey(`Whether an SMS that the carrier rejects or fails is charged all the same. Default false. ${GUESS}`, () =>
    z.boolean(),
  ),
  result_codes: optionalKey("The result_code of each kind of failure; success is 200, as the document says.", () => resultCodes),
  carriers: optionalKey("Discount, prices, limits and latency of each carrier.", () => carriers),
  latency_ms: optionalKey("Every carrier answers after exactly this many milliseconds; comes before every latency under carriers.", () =>
    z.int().min(0).max(86_400_000),
  ),
  numbers: optionalKey("Which carrier serves which number.", () => numbers),
  sender_id_registration: optionalKey("What registering a custom sender ID costs and how long it takes.", () => senderIdRegistration),
  hints: optionalKey("Whether the gateway's responses carry x-kredo-rule, which says what fired. Default true.", () => z.boolean()),
};

function readLatency({ airtime, sms, ...delay }: WrittenLatency, context: z.RefinementCtx): Latency {
  if (airtime === undefined && sms === undefined) {
    const both = readDelay(delay, context);
    return { airtime: both, sms: both };
  }
  const [extra] = Object.keys(delay);
  if (extra !== undefined)
    complain(context, { path: [extra], problem: "has no place beside airtime and sms", repair: "put it under one of them" });
  return { ...(airtime && { airtime }), ...(sms && { sms }) };
}

function checkLimits({ min = LIMITS.min, max = LIMITS.max }: { min?: Kes; max?: Kes }, context: z.RefinementCtx): void {
  if (min > max)
    complain(context, {
      problem: `the smallest amount, ${formatKes(min)}, is more than the largest, ${formatKes(max)}`,
      repair: "write min and max with min the smaller",
    });
}

function checkBusinessDays(written: { min?: number; max?: number }, context: z.RefinementCtx): void {
  const { min, max } = { ...GATEWAY.senderIdRegistration.businessDays, ...written };
  if (min > max)
    complain(context, {
      problem: `the fewest days, ${min}, are more than the most, ${max}`,
      repair: "write min and max with min the smaller",
    });
}
