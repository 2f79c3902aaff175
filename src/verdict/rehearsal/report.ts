import type { Exchange, Finding } from "../checks/finding.ts";
import type { Instant, Millis } from "../../gateway/domain/time.ts";
import type { Kes } from "../../gateway/domain/kes.ts";

/** The result of one rehearsal, or of watching an account without one. */
export interface Report {
  readonly name: string;
  readonly description?: string;
  readonly file?: string;
  /** Wall time. */
  readonly startedAt: Instant;
  readonly duration: Millis;
  /** The account's clock, and what does not follow it. */
  readonly clock: string;
  readonly seed: number;
  readonly checks: readonly Check[];
  readonly findings: readonly Finding[];
  /** The ids of defects that the rehearsal's own findings checks allow, if any. */
  readonly tolerated?: readonly string[];
  /** Requests and callbacks in the order in which they happened. */
  readonly timeline: readonly TimelineEntry[];
  /** The number of requests evicted before the report, if any. The timeline starts after them. */
  readonly evicted?: number;
  /** The available balance after each change. */
  readonly wallet: readonly { readonly at: Instant; readonly available: Kes }[];
}

export interface Check {
  /** A description or name such as "wallet: spent 95.00". */
  readonly name: string;
  readonly verdict: Verdict;
  /** Whether it is about orders being credited and booked correctly. */
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
