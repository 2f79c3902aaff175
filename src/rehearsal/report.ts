import type { Exchange, Finding } from "../findings/finding.ts";
import type { Instant, Millis } from "../domain/time.ts";
import type { Kes } from "../domain/kes.ts";

/** What came of one rehearsal, or of watching an account without one. */
export interface Report {
  readonly name: string;
  readonly description?: string;
  readonly file?: string;
  /** Wall time. */
  readonly startedAt: Instant;
  readonly took: Millis;
  /** Which clock it was, and that the application's own timers do not follow it. */
  readonly clock: string;
  readonly seed: number;
  readonly checks: readonly Check[];
  readonly findings: readonly Finding[];
  /** Ids of defects that a rehearsal's own checks on findings let pass, where there are any. */
  readonly tolerated?: readonly string[];
  /** Requests and callbacks in the order in which they happened. */
  readonly story: readonly StoryEntry[];
  /** Requests that went out of the journal before the report was made, where there are any: the story begins after them. */
  readonly evicted?: number;
  /** What was available, after each change. */
  readonly wallet: readonly { readonly at: Instant; readonly available: Kes }[];
}

export interface Check {
  /** As it was written: "wallet: spent 95.00". */
  readonly name: string;
  readonly verdict: Verdict;
}

export type Verdict =
  | { readonly is: "passed"; readonly saw: string }
  | { readonly is: "failed"; readonly saw: string; readonly exchanges: readonly Exchange[] }
  | { readonly is: "not assessed"; readonly needs: string };

export interface StoryEntry {
  /** The account's time. */
  readonly at: Instant;
  readonly exchange: Exchange;
  /** "POST /api/v2/airtime 254712345678 KES 100" or "callback 1 to http://…". */
  readonly title: string;
  /** "200 accepted", "402 insufficient funds", "answered 200 in 12 ms". */
  readonly outcome: string;
  readonly isWell: boolean;
  /** Which rules had a hand in it. */
  readonly scripted?: string;
}
