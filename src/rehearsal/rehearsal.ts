import type { RequestMatch } from "../account/readings/match-requests.ts";
import type { Carrier } from "../domain/carrier.ts";
import type { Kes } from "../domain/kes.ts";
import type { Comparison, Scenario } from "../domain/scenario.ts";
import type { ClockSettings, Operation, RateLimit, SenderIdGrant } from "../domain/settings.ts";
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
  | ({ readonly kind: "request"; readonly ask: HttpAsk; readonly capture: Captures; readonly expectStatus: StatusWanted } & Repetition)
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
export interface HttpAsk {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: AskBody;
  readonly timeout: Millis;
}

export type AskBody = { readonly text: string } | { readonly json: unknown };

export interface ShellCommand {
  readonly command: string;
  readonly timeout: Millis;
}

/** From name to where in the answer its value is. */
export type Captures = Readonly<Record<string, JsonPath>>;

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
export type Question = { readonly via: "request"; readonly ask: HttpAsk } | { readonly via: "command"; readonly run: ShellCommand };

/** How long a probe is asked again, in wall time. */
export interface Patience {
  readonly within: Millis;
  readonly every: Millis;
}

export interface ProbeExpected extends Patience {
  readonly kind: "probe";
  readonly question: Question;
  readonly jsonPath?: JsonPath;
  /** The HTTP status; without it, one below 300. */
  readonly status?: number;
  readonly wanted: ProbeWanted;
}

export type ProbeWanted =
  | { readonly is: "equal"; readonly value: unknown }
  | { readonly is: "matching"; readonly pattern: string }
  | { readonly is: "there" }
  | { readonly is: "absent" }
  | { readonly is: "answered" };

export interface ReconcileExpected extends Patience {
  readonly kind: "reconcile";
  readonly question: Question;
  readonly books: BooksForm;
  readonly compare: "charge" | "amount";
}

/** How the application's books are written. */
export type BooksForm =
  /** `since` is what the total was before, where the books are older than the rehearsal. */
  | { readonly as: "total"; readonly total: JsonPath; readonly since?: string }
  | { readonly as: "json"; readonly list: JsonPath; readonly requestId: JsonPath; readonly amount: JsonPath }
  | { readonly as: "csv"; readonly requestId: string; readonly amount: string };
