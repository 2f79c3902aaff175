import type { Instant } from "../domain/time.ts";

/** `defect` loses money or messages, `risk` can, `cost` wastes either, `hint` is worth knowing. */
export type Severity = "defect" | "risk" | "cost" | "hint";

/** A problem in an integrator's behaviour, as seen from outside. */
export interface Finding {
  /** The detector's id. */
  readonly id: string;
  /** What it is about, if a detector distinguishes several: a phone number, a URL. */
  readonly subject: string;
  readonly severity: Severity;
  readonly title: string;
  /** One sentence of what was seen. */
  readonly seen: string;
  readonly why: string;
  readonly repair: string;
  /** What the detector takes for granted, because it only sees traffic. */
  readonly assumes: string;
  /** How often it was seen. */
  readonly count: number;
  readonly firstAt: Instant;
  readonly lastAt: Instant;
  /** The evidence, oldest first. */
  readonly exchanges: readonly Exchange[];
}

/** Something that crossed the wire. */
export type Exchange =
  | { readonly kind: "request"; readonly requestId: string }
  | { readonly kind: "callback"; readonly requestId: string; readonly attempt: number };

/** Requests as evidence, oldest first. */
export function requestExchanges(requestIds: readonly string[]): Exchange[] {
  return requestIds.map((requestId) => ({ kind: "request", requestId }));
}
