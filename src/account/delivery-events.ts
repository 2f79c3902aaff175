import type { Instant } from "../domain/time.ts";

/**
 * A try to deliver a callback is about to be made: written down first where journals outlive the process, so that one whose
 * outcome was lost with it is made again, and said to be possibly a repetition.
 */
export interface AttemptBegun {
  readonly kind: "attempt-begun";
  readonly at: Instant;
  readonly requestId: string;
  readonly delivery: number;
  /** The try before it was begun too, and nobody knows what came of it. */
  readonly possiblyRepeated?: true;
}

export interface ResendRequested {
  readonly kind: "resend-requested";
  readonly at: Instant;
  readonly requestId: string;
}
