import type { Instant } from "../../gateway/domain/time.ts";
import type { Severity } from "../severities.ts";

/** Something that can be wrong with a backend, in the words that its developer reads. */
export interface Check {
  /** In kebab-case; used in rehearsals and settings. */
  readonly id: string;
  readonly severity: Severity;
  readonly title: string;
  readonly why: string;
  readonly repair: string;
  /** What the check assumes, because it only sees traffic. */
  readonly assumes: string;
}

/** A problem in an integrator's behaviour, as seen from outside. */
export interface Finding extends Check {
  /** What the finding is about, if a check distinguishes several: a phone number, a URL. */
  readonly subject: string;
  readonly seen: string;
  readonly count: number;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
  readonly exchanges: readonly ExchangeReference[];
}

export interface ExchangeReference {
  readonly kind: "request" | "callback";
  readonly requestId: string;
  /** The number of the callback attempt within its transaction, from 1. */
  readonly attempt?: number;
}

export function requestExchanges(requestIds: readonly string[]): ExchangeReference[] {
  return requestIds.map((requestId) => ({ kind: "request", requestId }));
}
