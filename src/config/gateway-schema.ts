import * as z from "zod";
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

const latencyMapping = z
  .strictObject({
    ...delayShape,
    airtime: delayValue.describe("Airtime alone. Default: lognormal, median 400ms, sigma 0.5.").exactOptional(),
    sms: delayValue.describe("SMS alone. Default: lognormal, median 900ms, sigma 0.5.").exactOptional(),
  })
  .transform(readLatency);

const latency = z.union([durationValue.transform((fixed): Latency => ({ airtime: { fixed }, sms: { fixed } })), latencyMapping]);

export type Latency = Partial<Record<Operation, Delay>>;

const limits = z
  .strictObject({
    min: amountValue.describe("KES. Default 5.00.").exactOptional(),
    max: amountValue.describe("KES. Default 10000.00.").exactOptional(),
  })
  .superRefine(checkLimits);

const carrier = z.strictObject({
  discount: percentValue.describe('Taken off the airtime amount, as a percentage: "6%". Default "5%".').exactOptional(),
  sms_price: amountValue.describe(`KES for each part of a message. Default 0.80. ${GUESS}`).exactOptional(),
  limits: limits.describe("The smallest and largest airtime amount of one request.").exactOptional(),
  latency: latency
    .describe(
      `Account time from acceptance to the result: "400ms", a mapping with one of fixed, uniform and lognormal, or one for each operation. ${GUESS}`,
    )
    .exactOptional(),
});

const carriers = z.strictObject({
  safaricom: carrier.describe("Safaricom.").exactOptional(),
  airtel: carrier.describe("Airtel.").exactOptional(),
  telkom: carrier.describe("Telkom.").exactOptional(),
});

const prefixKey = keyThat((text) => /^[17]\d{1,7}$/.test(text), {
  what: "a prefix",
  repair: "write national digits without 254 or 0, like 747",
});

const numbers = z.strictObject({
  ported: z
    .record(phoneNumberKey, carrierValue)
    .describe('The carrier that serves a number, whatever its prefix says: { "254722000111": airtel }.')
    .exactOptional(),
  ported_share: z
    .number()
    .min(0)
    .max(1)
    .describe(
      "The share of all numbers that another carrier serves than the prefix says, 0 to 1; which ones, a fixed hash decides. Default 0.03.",
    )
    .exactOptional(),
  prefixes: z
    .record(prefixKey, carrierValue)
    .describe(
      'Carriers for prefixes that belong to none of the three, or to another: { "747": safaricom }. Without this, such numbers are refused.',
    )
    .exactOptional(),
});

const failureCode = z
  .int()
  .min(1)
  .max(999_999)
  .superRefine((code, context) => {
    if (code === GATEWAY.resultCodes.success) complain(context, { problem: `${code} means success`, repair: "choose another code" });
  });

const resultCodes = z.strictObject({
  failed: failureCode.describe(`Failed by the carrier. Default 500. ${GUESS}`).exactOptional(),
  rejected: failureCode.describe(`Rejected. Default 403. ${GUESS}`).exactOptional(),
  not_on_network: failureCode.describe(`The number is not on the carrier's network. Default 404. ${GUESS}`).exactOptional(),
  timed_out: failureCode.describe(`The carrier did not answer in time. Default 504. ${GUESS}`).exactOptional(),
  insufficient_funds: failureCode.describe(`Not enough balance to complete. Default 402. ${GUESS}`).exactOptional(),
});

const days = z.int().min(0).max(366);

const senderIdRegistration = z.strictObject({
  fee: amountValue.describe("KES for each carrier, debited on submission. Default 10000.00.").exactOptional(),
  business_days: z
    .strictObject({ min: days.describe("Default 2.").exactOptional(), max: days.describe("Default 3.").exactOptional() })
    .superRefine(checkBusinessDays)
    .describe("How long a decision takes: Monday to Friday in Nairobi, on the account's clock.")
    .exactOptional(),
  require_documents: z
    .boolean()
    .describe("Asks for the authorization letter and the registration certificate by name. Default false.")
    .exactOptional(),
});

/** The keys that say how the gateway behaves, the same for every account. */
export const gatewayShape = {
  profile: z
    .enum(["document", "statum"])
    .describe(
      "document follows the gateway's document to the letter; statum follows what is public of the live gateway where they differ. Default document.",
    )
    .exactOptional(),
  http_status: z
    .enum(["mirror", "always_200"])
    .describe(`Whether the HTTP status repeats status_code or is always 200. Default mirror. ${GUESS}`)
    .exactOptional(),
  amount_type: z
    .enum(["strict", "lenient"])
    .describe(`lenient also takes a JSON number as an airtime amount. Default strict. ${GUESS}`)
    .exactOptional(),
  ucs2_concatenated: z
    .literal([70, 67])
    .describe(
      "Characters in each part of a longer message outside the GSM alphabet: 70 as the document says, 67 as 3GPP TS 23.040 has it. Default 70.",
    )
    .exactOptional(),
  max_sms_parts: z
    .int()
    .min(1)
    .max(255)
    .describe(`Parts that one message may have; more are refused with 422. Default 255. ${GUESS}`)
    .exactOptional(),
  duplicate_window: durationValue
    .describe(
      `How long the same phone number and amount are refused with 422 after an airtime request; "0" never refuses. Default "0", and "5m" with profile statum. ${GUESS}`,
    )
    .exactOptional(),
  insufficient_funds: z
    .enum(["refuse", "fail_by_callback"])
    .describe("What happens to a request that the wallet cannot pay: 402 at once, or accepted and failed by its callback. Default refuse.")
    .exactOptional(),
  charge_failed_sms: z
    .boolean()
    .describe(`Whether an SMS that the carrier rejects or fails is charged all the same. Default false. ${GUESS}`)
    .exactOptional(),
  result_codes: resultCodes.describe("The result_code of each kind of failure; success is 200, as the document says.").exactOptional(),
  carriers: carriers.describe("Discount, prices, limits and latency of each carrier.").exactOptional(),
  latency_ms: z
    .int()
    .min(0)
    .max(86_400_000)
    .describe("Every carrier answers after exactly this many milliseconds; comes before every latency under carriers.")
    .exactOptional(),
  numbers: numbers.describe("Which carrier serves which number.").exactOptional(),
  sender_id_registration: senderIdRegistration.describe("What registering a custom sender ID costs and how long it takes.").exactOptional(),
  hints: z.boolean().describe("Whether the gateway's responses carry x-kredo-rule, which says what fired. Default true.").exactOptional(),
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
