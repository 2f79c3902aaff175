import { CARRIERS } from "../domain/carrier.ts";
import type { Delay } from "../domain/delay.ts";
import { cents } from "../domain/kes.ts";
import { type CallbackSettings, type GatewaySettings, RETRY_CAUSES, type SenderIdGrant } from "../domain/settings.ts";
import { MINUTE, SECOND } from "../domain/time.ts";

/** What holds where nothing else is said (DESIGN.md section 3). */
export const PORT = 8254;
export const HTTPS_PORT = 8255;
export const HOST = "127.0.0.1";
export const JOURNAL = { maxTransactions: 10_000, maxBytes: 16 * 1024 * 1024, maxUnresolved: 2_000_000 } as const;

export const CONSUMER_KEY = "sandbox-key";
export const CONSUMER_SECRET = "sandbox-secret";
export const BALANCE = cents(1_000_000);
export const SENDER_IDS: readonly SenderIdGrant[] = ["SANDBOX", "20254"].map((senderId) => ({ senderId, carriers: CARRIERS }));

export const CALLBACKS: CallbackSettings = {
  urls: {},
  timeout: 3 * SECOND,
  concurrency: 64,
  retry: { attempts: 1, spacing: [10 * SECOND], on: RETRY_CAUSES },
  headers: {},
  insecure: false,
};

/** Each carrier's airtime discount, in hundredths of a percent. */
export const DISCOUNT = 500;
export const SMS_PRICE = cents(80);
export const LIMITS = { min: cents(500), max: cents(1_000_000) } as const;
export const LATENCY: { readonly airtime: Delay; readonly sms: Delay } = {
  airtime: { lognormal: { median: 400, sigma: 0.5 } },
  sms: { lognormal: { median: 900, sigma: 0.5 } },
};

export const GATEWAY: Omit<GatewaySettings, "profile" | "duplicateWindow" | "carriers"> = {
  httpStatus: "mirror",
  amountType: "strict",
  ucs2Concatenated: 70,
  maxSmsParts: 255,
  insufficientFunds: "refuse",
  chargeFailedSms: false,
  resultCodes: { success: 200, failed: 500, rejected: 403, notOnNetwork: 404, timedOut: 504, insufficientFunds: 402 },
  numbering: { portedShare: 0.03, ported: {}, prefixes: {} },
  senderIdRegistration: { fee: cents(1_000_000), businessDays: { min: 2, max: 3 }, requireDocuments: false },
  hints: true,
};

/** The live gateway refuses a similar airtime request within five minutes, as its older public pages have it; the document says nothing. */
export const DUPLICATE_WINDOW: Readonly<Record<GatewaySettings["profile"], number>> = { document: 0, statum: 5 * MINUTE };
