import type { Carrier } from "./carrier.ts";
import type { Delay } from "./delay.ts";
import type { Kes } from "./kes.ts";
import type { RefusalCode, ValidationErrors } from "./refusal.ts";
import type { Operation, RateLimit, SenderIdGrant } from "./settings.ts";
import type { SmsMeasure } from "./sms-parts.ts";
import type { Millis } from "./time.ts";

/** A scenario file, read: plain data, because it is part of an account's journal. */
export interface Scenario {
  readonly name: string;
  readonly description?: string;
  readonly seed?: number;
  readonly setup: Setup;
  readonly rules: readonly Rule[];
  readonly timeline: readonly TimelineStep[];
}

/** What an account is changed to when a scenario begins, and again after a reset. */
export interface Setup {
  readonly balance?: Kes;
  readonly senderIds?: readonly SenderIdGrant[];
  readonly callbacks?: Readonly<Partial<Record<Operation, string>>>;
  readonly ported?: Readonly<Record<string, Carrier>>;
  readonly rateLimit?: RateLimit;
  readonly identity?: RunIdentity;
}

/** What request ids and chances are drawn from, so that another account repeats a run: "save as" writes it. */
export interface RunIdentity {
  readonly seed: number;
  /** The consumer key of the account that is repeated. */
  readonly account: string;
}

export interface Rule {
  readonly name: string;
  readonly when: When;
  readonly then: Effects;
  /** Later rules may add to it. */
  readonly continue: boolean;
}

/** The named state that every scenario begins in. */
export const INITIAL_STATE = "start";

/** The scenario that is on by default, and always asked last (DESIGN.md section 6). */
export const DEFAULT_SCENARIO = "magic-numbers";

/** Which requests a rule is about; all that is written must hold. */
export interface When {
  /** Without one: airtime and SMS. */
  readonly operation?: readonly (Operation | "account-details")[];
  /** Numbers, or patterns in which `*` stands for anything. */
  readonly phoneNumber?: readonly string[];
  readonly carrier?: readonly Carrier[];
  readonly amount?: Comparison;
  /** What is available before the request. */
  readonly balance?: Comparison;
  readonly message?: { readonly equals?: string; readonly contains?: string; readonly regex?: string };
  readonly senderId?: readonly string[];
  readonly encoding?: SmsMeasure["encoding"];
  readonly parts?: Comparison;
  /** From header name, in lower case, to a pattern. */
  readonly header?: Readonly<Record<string, string>>;
  readonly count?: Counting;
  readonly probability?: number;
  /** Of the scenario's time, which begins when it is activated. */
  readonly during?: { readonly from: Millis; readonly to?: Millis };
  /** The named state that the scenario is in. */
  readonly in?: string;
}

export interface Comparison {
  readonly eq?: number;
  readonly gt?: number;
  readonly gte?: number;
  readonly lt?: number;
  readonly lte?: number;
}

/** Which of the requests that reach a rule and match the rest of its `when`. */
export interface Counting {
  readonly per: "account" | "phone_number" | "sender_id";
  readonly first?: number;
  readonly nth?: number;
  readonly every?: number;
  readonly after?: number;
}

/** What a rule does. */
export interface Effects {
  readonly refuse?: RefuseEffect;
  readonly ack?: AckEffect;
  readonly connection?: ConnectionEffect;
  readonly result?: ResultEffect;
  readonly callback?: CallbackEffect;
  /** The named state that the scenario moves to. */
  readonly enter?: string;
}

export interface RefuseEffect {
  readonly code: RefusalCode;
  readonly description?: string;
  readonly validationErrors?: ValidationErrors;
  /** The whole body, byte for byte, instead of the envelope. */
  readonly body?: string;
}

/** What happens to the acknowledgment of an accepted request. */
export interface AckEffect {
  /** Wall time after acceptance. */
  readonly delay?: Delay;
  /** The HTTP status that is sent instead of 200. */
  readonly status?: number;
  readonly body?: string;
}

export const BREAKAGES = ["reset", "empty", "hang", "truncate", "garbage", "drip"] as const;
export type Breakage = (typeof BREAKAGES)[number];

export interface ConnectionEffect {
  readonly breakage: Breakage;
  readonly stage: "before_accept" | "after_accept";
}

/** What the carrier makes of an accepted request. */
export interface ResultEffect {
  readonly resultCode?: number;
  readonly resultDesc?: string;
  /** Instead of the carrier's latency. */
  readonly delay?: Delay;
  /** Not before this moment of the scenario's time. */
  readonly holdUntil?: Millis;
  /** Never settles. */
  readonly stuck?: boolean;
  readonly carrier?: Carrier;
  readonly charge?: Kes;
}

/** What happens to the callback. */
export interface CallbackEffect {
  readonly drop?: boolean;
  readonly times?: number;
  readonly gap?: Delay;
  readonly delay?: Delay;
  /** When each is sent, counted from the result, instead of `times`, `gap` and `delay`. */
  readonly sendings?: readonly Millis[];
  /** The receiver has it before the client has the acknowledgment. */
  readonly beforeAck?: boolean;
  /** So many later callbacks go first. */
  readonly reorder?: number;
  /** From the second sending on, the opposite result. */
  readonly contradict?: boolean;
  readonly unknownId?: boolean;
  readonly malformed?: boolean;
  readonly wrongContentType?: boolean;
  readonly slowDrip?: boolean;
  readonly disconnect?: boolean;
}

/** One thing that happens by itself at a moment of the scenario's time. */
export interface TimelineStep {
  readonly at: Millis;
  readonly do: TimelineAction;
}

export type TimelineAction =
  | { readonly kind: "wallet"; readonly balance: Kes }
  | { readonly kind: "credentials"; readonly are: "revoked" | "restored" }
  | { readonly kind: "sender-id"; readonly senderId: string; readonly is: "revoked" | "restored" }
  | { readonly kind: "carrier"; readonly carrier: Carrier; readonly is: "down" | "up" }
  | { readonly kind: "rate-limit"; readonly limit: RateLimit | null }
  | { readonly kind: "rule"; readonly rule: string; readonly is: "on" | "off" }
  | { readonly kind: "enter"; readonly state: string };
