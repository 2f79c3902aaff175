import type { Exchange, Finding } from "../findings/finding.ts";
import type { Instant, Millis } from "../domain/time.ts";
import type { Kes } from "../domain/kes.ts";

/** The result of one rehearsal, or of watching an account without one. */
export interface Report {
  readonly name: string;
  readonly description?: string;
  readonly file?: string;
  /** Wall time. */
  readonly startedAt: Instant;
  readonly duration: Millis;
  /** Which clock the account had, and what does not follow it. */
  readonly clock: string;
  readonly seed: number;
  readonly checks: readonly Check[];
  readonly findings: readonly Finding[];
  /** Ids of defects that the rehearsal's own findings checks allow, if any. */
  readonly tolerated?: readonly string[];
  /** Requests and callbacks in the order in which they happened. */
  readonly timeline: readonly TimelineEntry[];
  /** Number of requests evicted from the journal before the report, if any: the timeline begins after them. */
  readonly evicted?: number;
  /** The available balance after each change. */
  readonly wallet: readonly { readonly at: Instant; readonly available: Kes }[];
}

export interface Check {
  /** As it was written: "wallet: spent 95.00". */
  readonly name: string;
  readonly verdict: Verdict;
  /** Whether it says that orders are credited and booked right. */
  readonly isAboutMoney?: boolean;
}

export type Verdict =
  | { readonly is: "passed"; readonly seen: string }
  | { readonly is: "failed"; readonly seen: string; readonly exchanges: readonly Exchange[] }
  | { readonly is: "not assessed"; readonly needs: string };

export interface TimelineEntry {
  /** The account's time. */
  readonly at: Instant;
  readonly exchange: Exchange;
  /** "POST /api/v2/airtime 254712345678 KES 100" or "callback 1 to http://…". */
  readonly title: string;
  /** "200 accepted", "402 insufficient funds", "answered 200 in 12 ms". */
  readonly outcome: string;
  readonly isOk: boolean;
  /** The rules that affected it. */
  readonly scripted?: string;
  /** The beginning of an answer that did not acknowledge a callback. */
  readonly answer?: string;
}
