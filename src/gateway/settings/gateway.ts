import * as z from "zod";
import {
  amountValue,
  carrierValue,
  addProblem,
  type DelayKeys,
  delayShape,
  delayValue,
  durationValue,
  keyMatching,
  percentValue,
  phoneNumberKey,
  readDelay,
} from "../document/values.ts";
import { carrierName, forEachCarrier } from "../domain/carrier.ts";
import type { Delay } from "../domain/draws.ts";
import { formatKes, type Kes } from "../domain/kes.ts";
import { forEachProduct, type Operation, RESULT_CODES } from "../domain/order.ts";
import type { Immutable } from "../domain/immutable.ts";
import { PROFILES, type ProfileSettings, PROFILE_DEFAULTS, profileShape } from "./profiles.ts";
import { counted } from "../domain/counted.ts";

type WrittenLatency = DelayKeys & Partial<Latency>;

const latencyMapping = z.lazy(() =>
  z
    .strictObject({
      ...delayShape,
      airtime: delayValue.exactOptional().describe("Airtime only. Default: lognormal, median 400ms, sigma 0.5."),
      sms: delayValue.exactOptional().describe("SMS only. Default: lognormal, median 900ms, sigma 0.5."),
    })
    .transform(readLatency),
);

const latency = z.lazy(() =>
  z.union([durationValue.transform((fixed): Latency => forEachProduct(() => ({ fixed }))), latencyMapping]),
);

type Latency = Record<Operation, Delay>;

const LATENCY: Latency = {
  airtime: { lognormal: { median: 400, sigma: 0.5 } },
  sms: { lognormal: { median: 900, sigma: 0.5 } },
};

const limits = z.lazy(() =>
  z
    .strictObject({
      min: amountValue.prefault("5.00").describe("KES. Default 5.00."),
      max: amountValue.prefault("10000.00").describe("KES. Default 10000.00."),
    })
    .superRefine(checkLimits),
);

const carrier = z.lazy(() =>
  z.strictObject({
    discount: percentValue
      .prefault("5%")
      .describe('The discount on airtime amounts, as a percentage such as "6%". Default "5%".'),
    sms_price: amountValue.prefault("0.80").describe("KES per message part. Default 0.80."),
    limits: limits.prefault({}).describe("The smallest and largest airtime amount of one request."),
    latency: latency
      .default(LATENCY)
      .describe(
        'Account time from acceptance to the result: "400ms", a mapping with one of fixed, uniform or lognormal, or one for each operation.',
      ),
  }),
);

const carriers = z.lazy(() =>
  z.strictObject(forEachCarrier((name) => carrier.prefault({}).describe(`${carrierName(name)}.`))),
);

const prefixKey = keyMatching((text) => /^[17]\d{1,7}$/.test(text), {
  what: "a prefix",
  repair: "write national digits without 254 or 0, like 747",
});

const numbers = z.lazy(() =>
  z.strictObject({
    ported: z
      .record(phoneNumberKey, carrierValue)
      .default({})
      .describe('The carrier that serves a number, regardless of its prefix: { "254722000111": airtel }.'),
    ported_share: z
      .number()
      .min(0)
      .max(1)
      .default(0)
      .describe(
        "The share of all numbers served by a different carrier than their prefix suggests, from 0 to 1. A fixed hash decides which ones. Default 0.",
      ),
    prefixes: z
      .record(prefixKey, carrierValue)
      .default({})
      .describe(
        'Carriers of additional prefixes, or of prefixes that have moved to another carrier: { "747": safaricom }. Numbers with an unlisted, unassigned prefix are refused.',
      ),
  }),
);

const failureCode = z.lazy(() =>
  z
    .int()
    .min(1)
    .max(999_999)
    .superRefine((code, context) => {
      if (code === RESULT_CODES.success)
        addProblem(context, { problem: `${code} means success`, repair: "choose another code" });
    }),
);

const resultCodes = z.lazy(() =>
  z
    .strictObject({
      failed: failureCode.default(RESULT_CODES.failed).describe("Failed by the carrier. Default 500."),
      rejected: failureCode.default(RESULT_CODES.rejected).describe("Rejected. Default 403."),
      not_on_network: failureCode
        .default(RESULT_CODES.not_on_network)
        .describe("The number is not on the carrier's network. Default 404."),
      timed_out: failureCode
        .default(RESULT_CODES.timed_out)
        .describe("The carrier did not answer in time. Default 504."),
      insufficient_funds: failureCode
        .default(RESULT_CODES.insufficient_funds)
        .describe("Not enough balance to complete. Default 402."),
      duplicate: failureCode
        .default(RESULT_CODES.duplicate)
        .describe("A repeated order, with duplicates: fail_by_callback. Default 422."),
    })
    .transform((codes) => ({ success: RESULT_CODES.success, ...codes })),
);

const days = z.lazy(() => z.int().min(0).max(366));

const senderIdRegistration = z.lazy(() =>
  z.strictObject({
    fee: amountValue.prefault("10000.00").describe("KES per carrier, debited on submission. Default 10000.00."),
    business_days: z
      .strictObject({ min: days.default(2).describe("Default 2."), max: days.default(3).describe("Default 3.") })
      .superRefine(checkBusinessDays)
      .prefault({})
      .describe("How long a decision takes: Monday to Friday in Nairobi, on the account's clock."),
    require_documents: z
      .boolean()
      .default(true)
      .describe(
        "Requires the names of the authorization letter and the registration certificate. Default true, because the specification requires both.",
      ),
  }),
);

/** The keys that define the gateway's behaviour, the same for every account. */
export const gatewayShape = {
  profile: z
    .enum(PROFILES)
    .default("document")
    .describe(
      "The profile of the gateway, which decides the defaults of other settings: document follows the specification, sdk the public pages and SDKs, observed what the live gateway was seen to send. Default document.",
    ),
  ...profileShape,
  http_status: z
    .enum(["mirror", "always_200"])
    .default("mirror")
    .describe("Whether the HTTP status repeats status_code or is always 200. Default mirror."),
  amount_type: z
    .enum(["strict", "lenient"])
    .default("strict")
    .describe("lenient also accepts a JSON number as the airtime amount. Default strict."),
  ucs2_concatenated: z
    .literal([70, 67])
    .default(70)
    .describe(
      "Characters per part of a multi-part message outside the GSM alphabet: 70 per the specification, 67 per 3GPP TS 23.040. Default 70.",
    ),
  max_sms_parts: z
    .int()
    .min(1)
    .max(255)
    .default(255)
    .describe("The maximum number of parts in one message; longer messages are refused with 422. Default 255."),
  insufficient_funds: z
    .enum(["refuse", "fail_by_callback"])
    .default("refuse")
    .describe(
      "What happens to a request that the wallet cannot cover: refused with 402 at once, or accepted and failed by its callback. Default refuse.",
    ),
  charge_failed_sms: z
    .boolean()
    .default(false)
    .describe("Whether an SMS that the carrier rejects or fails is still charged. Default false."),
  result_codes: resultCodes
    .prefault({})
    .describe("The result_code for each kind of failure. Success is 200, per the specification."),
  decimals: z
    .literal(["trimmed", "fixed", 3])
    .default("trimmed")
    .describe("Whether amounts are written as 95 or as 95.00; with 3, balances as 95.000. Default trimmed."),
  carriers: carriers.prefault({}).describe("Discount, prices, limits and latency of each carrier."),
  latency_ms: z
    .int()
    .min(0)
    .max(86_400_000)
    .exactOptional()
    .describe("Every carrier answers after exactly this many milliseconds. Overrides every latency under carriers."),
  numbers: numbers.prefault({}).describe("Which carrier serves which number."),
  sender_id_registration: senderIdRegistration
    .prefault({})
    .describe("What registering a custom sender ID costs and how long it takes."),
  hints: z
    .boolean()
    .default(true)
    .describe(
      "Whether the gateway's responses include the x-kredo-rule header, which names the rule that fired. Default true.",
    ),
};

type WrittenGateway = z.output<z.ZodObject<typeof gatewayShape>>;

/** The gateway's behaviour; the same for every account of a sandbox. */
export type GatewaySettings = Immutable<Omit<WrittenGateway, "latency_ms" | keyof ProfileSettings> & ProfileSettings>;

/** Fills in the keys whose defaults depend on another key. */
export function gatewaySettings({ latency_ms: exactly, carriers, ...written }: WrittenGateway): GatewaySettings {
  const defaults = PROFILE_DEFAULTS[written.profile];
  const exact = exactly === undefined ? {} : { latency: forEachProduct(() => ({ fixed: exactly })) };
  return {
    ...defaults,
    ...written,
    refusals: { ...defaults.refusals, ...written.refusals },
    account_details: { ...defaults.account_details, ...written.account_details },
    carriers: forEachCarrier((name) => ({ ...carriers[name], ...exact })),
  };
}

function readLatency({ airtime, sms, ...delay }: WrittenLatency, context: z.RefinementCtx): Latency {
  if (airtime === undefined && sms === undefined) {
    const both = readDelay(delay, context);
    return { airtime: both, sms: both };
  }
  const [extra] = Object.keys(delay);
  if (extra !== undefined)
    addProblem(context, {
      path: [extra],
      problem: "is not allowed together with airtime and sms",
      repair: "put it under one of them",
    });
  return { airtime: airtime ?? LATENCY.airtime, sms: sms ?? LATENCY.sms };
}

function checkLimits({ min, max }: { min: Kes; max: Kes }, context: z.RefinementCtx): void {
  if (min > max)
    addProblem(context, {
      problem: `the smallest amount, ${formatKes(min)}, is more than the largest, ${formatKes(max)}`,
      repair: "make min smaller than max",
    });
}

function checkBusinessDays({ min, max }: { min: number; max: number }, context: z.RefinementCtx): void {
  if (min > max)
    addProblem(context, {
      problem: `the minimum, ${counted(min, "day")}, is more than the maximum, ${max}`,
      repair: "make min smaller than max",
    });
}
