import type { Instant } from "../domain/time.ts";

/** How a request came, where that says something about its client; what is ordinary is left out. */
export interface Manner {
  /** Wall time, where the account's clock does not follow it: a client's own timers do. */
  readonly wallAt?: Instant;
  /** It was the first on its connection. */
  readonly isFirstOnConnection?: true;
  /** Query parameters by which a secret travels in the URL, where every proxy writes it down. */
  readonly exposed?: readonly string[];
  /** Fields in a form that only a lenient setting takes, such as an amount as a JSON number. */
  readonly loose?: readonly string[];
  /** Where it stands in its client's trace (W3C Trace Context), where it said so. */
  readonly traceparent?: string;
}
