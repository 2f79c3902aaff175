import type { RequestMatch } from "../account/readings/match-requests.ts";
import type { Carrier } from "../domain/carrier.ts";
import type { Kes } from "../domain/kes.ts";
import type { Comparison } from "../scenario/comparison.ts";
import type { Scenario } from "../scenario/schema.ts";
import type { ClockSettings } from "../settings/clock.ts";
import type { Operation } from "../domain/order.ts";
import type { RateLimit, SenderIdGrant } from "../settings/account.ts";
import type { Millis } from "../domain/time.ts";
import type { Severity } from "../findings/finding.ts";
import type { JsonPath } from "./json-path.ts";

/** What to drive an integrator's application with, and what to expect of it. Texts may hold `{placeholders}`. */
export interface Rehearsal {
  readonly name: string;
  readonly description?: string;
  /** Where the application is, unless the command line says. */
  readonly application?: string;
  readonly clock: ClockSettings;
  readonly seed?: number;
  readonly account: AccountUnderTest;
  /** Names of shipped scenarios, paths, or scenarios themselves; the first is asked first. */
  readonly scenarios: readonly (string | Scenario)[];
  readonly drive: readonly DriveStep[];
  readonly expect: readonly Expectation[];
}

/** What the account is changed to before the first step. */
export interface AccountUnderTest {
  readonly balance?: Kes;
  readonly senderIds?: readonly SenderIdGrant[];
  readonly callbacks?: { readonly airtime?: string; readonly sms?: string };
  readonly ported?: Readonly<Record<string, Carrier>>;
  readonly rateLimit?: RateLimit;
}

export type DriveStep =
  | ({
      readonly kind: "request";
      readonly request: ApplicationRequest;
      readonly capture: Captures;
      readonly expectStatus: StatusWanted;
    } & Repetition)
  | { readonly kind: "command"; readonly run: ShellCommand }
  | ({ readonly kind: "sandbox"; readonly order: WrittenOrder } & Repetition)
  | { readonly kind: "advance"; readonly by: Millis | "all" }
  | { readonly kind: "top-up"; readonly amount: Kes }
  | { readonly kind: "wait"; readonly wait: Millis }
  | { readonly kind: "until"; readonly match: RequestMatch; readonly count: Comparison; readonly within: Millis }
  | { readonly kind: "observe"; readonly limit: Millis };

/** How often something is done, how many at a time, and how far apart they begin. */
export interface Repetition {
  readonly repeat: number;
  readonly parallel: number;
  readonly spacing: Millis;
}

/** A request to the application; its texts still have their placeholders. */
export interface ApplicationRequest {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: RequestBody;
  readonly timeout: Millis;
}

export type RequestBody = { readonly text: string } | { readonly json: unknown };

export interface ShellCommand {
  readonly command: string;
  readonly timeout: Millis;
}

/** From name to where in the answer its value is. */
export type Captures = Readonly<Record<string, Capture>>;

export interface Capture {
  readonly path: JsonPath;
  /** Without it, an answer that lacks the value fails the step; otherwise whatever needs the value is not assessed. */
  readonly optional: boolean;
}

export type StatusWanted = "any" | "2xx" | readonly number[];

/** An order that the sandbox itself sends to the gateway. */
export interface WrittenOrder {
  readonly operation: Operation;
  readonly fields: Readonly<Record<string, string>>;
}

export type Expectation = { readonly name?: string } & Expected;

export type Expected =
  | FindingsExpected
  | CallbacksExpected
  | RequestsExpected
  | WalletExpected
  | TransactionsExpected
  | ProbeExpected
  | ReconcileExpected;

export interface FindingsExpected {
  readonly kind: "findings";
  readonly noneOf: readonly Severity[];
  readonly none: readonly string[];
  readonly some: readonly string[];
}

/** What is expected of findings where nobody says anything else: a defect is never to pass unseen. */
export const NO_DEFECTS: FindingsExpected = { kind: "findings", noneOf: ["defect"], none: [], some: [] };

export interface CallbacksExpected {
  readonly kind: "callbacks";
  readonly operation?: Operation;
  readonly acknowledged?: "all";
  readonly acknowledgedWithin?: Millis;
  readonly count?: Comparison;
}

export interface RequestsExpected {
  readonly kind: "requests";
  readonly match: RequestMatch;
  readonly count?: Comparison;
  readonly leastSpacing?: Millis;
  readonly noRepeat: boolean;
}

/** In cents. */
export interface WalletExpected {
  readonly kind: "wallet";
  readonly spent?: Comparison;
  readonly available?: Comparison;
}

export interface TransactionsExpected {
  readonly kind: "transactions";
  readonly match: RequestMatch;
  readonly counts: readonly { readonly state: TransactionState; readonly count: Comparison }[];
}

export const TRANSACTION_STATES = ["queued", "succeeded", "failed", "stuck"] as const;
export type TransactionState = (typeof TRANSACTION_STATES)[number];

/** Whom a probe asks. */
export type ProbeSource =
  | { readonly via: "request"; readonly request: ApplicationRequest }
  | { readonly via: "command"; readonly run: ShellCommand };

/** How long a probe is asked again, in wall time. */
export interface Polling {
  readonly within: Millis;
  readonly every: Millis;
}

export interface ProbeExpected extends Polling {
  readonly kind: "probe";
  readonly source: ProbeSource;
  readonly jsonPath?: JsonPath;
  /** The HTTP status; without it, one below 300. */
  readonly status?: number;
  readonly wanted: ProbeAssertion;
}

export type ProbeAssertion =
  | { readonly is: "equals"; readonly value: unknown }
  | { readonly is: "matches"; readonly pattern: string }
  | { readonly is: "exists" }
  | { readonly is: "missing" }
  /** KES by which the amount there differs from the one before the first step. */
  | { readonly is: "changed"; readonly by: Kes; readonly before?: unknown }
  | { readonly is: "answers" };

export interface ReconcileExpected extends Polling {
  readonly kind: "reconcile";
  readonly source: ProbeSource;
  readonly books: BooksForm;
  readonly compare: "charge" | "amount";
}

/** How the application's books are written. */
export type BooksForm =
  /** `since` is what the total was before, where the books are older than the rehearsal. */
  | { readonly as: "total"; readonly total: JsonPath; readonly since?: string }
  | { readonly as: "json"; readonly list: JsonPath; readonly requestId: JsonPath; readonly amount: JsonPath }
  | { readonly as: "csv"; readonly requestId: string; readonly amount: string };
