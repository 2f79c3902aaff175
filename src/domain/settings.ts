import type { Carrier, Numbering } from "./carrier.ts";
import type { Delay } from "./delay.ts";
import type { Kes } from "./kes.ts";
import type { Profile } from "./phone-number.ts";
import type { Instant, Millis } from "./time.ts";

export type Operation = "airtime" | "sms";

/** How the gateway behaves; the same for every account of a sandbox. */
export interface GatewaySettings {
  readonly profile: Profile;
  /** Whether the HTTP status repeats `status_code` or is always 200. */
  readonly httpStatus: "mirror" | "always_200";
  /** `lenient` also takes a JSON number as an amount. */
  readonly amountType: "strict" | "lenient";
  /** Characters in each part of a longer UCS-2 message: 70 as the document says, 67 as 3GPP TS 23.040 has it. */
  readonly ucs2Concatenated: 70 | 67;
  readonly maxSmsParts: number;
  /** How long the same phone number and amount are refused after an airtime request; 0 never refuses. */
  readonly duplicateWindow: Millis;
  readonly insufficientFunds: "refuse" | "fail_by_callback";
  /** Whether an SMS that the carrier rejects or fails is charged all the same. */
  readonly chargeFailedSms: boolean;
  readonly resultCodes: ResultCodes;
  readonly carriers: Readonly<Record<Carrier, CarrierSettings>>;
  readonly numbering: Numbering;
  readonly senderIdRegistration: SenderIdRegistration;
  readonly hints: boolean;
}

/** The values of `result_code`; the document names only 200, the others are guesses. */
export interface ResultCodes {
  readonly success: number;
  readonly failed: number;
  readonly rejected: number;
  readonly notOnNetwork: number;
  readonly timedOut: number;
  readonly insufficientFunds: number;
}

export interface CarrierSettings {
  /** Airtime discount in hundredths of a percent: 500 is 5 percent. */
  readonly discount: number;
  readonly smsPrice: Kes;
  readonly limits: { readonly min: Kes; readonly max: Kes };
  readonly latency: Readonly<Record<Operation, Delay>>;
}

export interface SenderIdRegistration {
  /** KES for each carrier. */
  readonly fee: Kes;
  readonly businessDays: { readonly min: number; readonly max: number };
  readonly requireDocuments: boolean;
}

/** One customer of the gateway: what its account is when it is opened, and again after a reset. */
export interface AccountSettings {
  readonly consumerKey: string;
  readonly consumerSecret: string;
  /** Any secret opens the account; set for accounts that `auto_accounts` made. */
  readonly anySecret: boolean;
  readonly balance: Kes;
  /** Drawn anew at each start and each reset where it is not given. */
  readonly seed?: number;
  readonly clock: ClockSettings;
  readonly callbacks: CallbackSettings;
  readonly senderIds: readonly SenderIdGrant[];
  readonly organization: Organization;
  readonly rateLimit?: RateLimit;
}

export type ClockSettings =
  | { readonly mode: "real" }
  | { readonly mode: "scaled"; readonly scale: number; readonly start?: Instant }
  | { readonly mode: "manual"; readonly start?: Instant };

export interface CallbackSettings {
  readonly urls: Readonly<Partial<Record<Operation, CallbackUrl>>>;
  /** Wall time for one answer. */
  readonly timeout: Millis;
  readonly concurrency: number;
  readonly retry: RetryPolicy;
  readonly headers: Readonly<Record<string, string>>;
  /** PEM text of a certificate authority to trust besides the usual ones. */
  readonly ca?: string;
  /** Takes any certificate. */
  readonly insecure: boolean;
  /** Carries the traceparent that the request came with, which the gateway does not. */
  readonly traceparent?: boolean;
}

/** A callback URL that delivers to the receiver inside the sandbox. */
export const SINK_URL = "kredo:sink";

export interface CallbackUrl {
  readonly url: string;
  /** Set by the owner of this machine (config, flag, variable, admin token), so public hosts may be called. */
  readonly trusted: boolean;
}

export interface RetryPolicy {
  /** Attempts in all, the first one included. */
  readonly attempts: number;
  /** Account time from one attempt's end to the next one; the last is repeated. */
  readonly spacing: readonly Millis[];
  readonly on: readonly RetryCause[];
}

/** What counts as not delivered; `not_200` is any answer but 200, redirects apart. */
export const RETRY_CAUSES = ["timed_out", "refused", "reset", "unresolved_name", "tls", "redirect", "not_200"] as const;
export type RetryCause = (typeof RETRY_CAUSES)[number];

export interface SenderIdGrant {
  readonly senderId: string;
  readonly carriers: readonly Carrier[];
}

export interface Organization {
  readonly name: string;
  readonly location: string;
  readonly website: string;
  readonly officeEmail: string;
  readonly officeMobile: string;
  readonly topUpCode: string;
  readonly accounts: readonly { readonly account: string; readonly service_name: string }[];
}

export interface RateLimit {
  readonly requests: number;
  readonly per: Millis;
}
