/** The checks along a callback's route, in order. */
export const CHECKS = ["name", "connection", "tls", "answer"] as const;

export interface RouteCheck {
  readonly check: (typeof CHECKS)[number];
  /** A warning works here, but may fail elsewhere or later. A skipped check was not reached, or does not apply. */
  readonly verdict: "ok" | "warning" | "failed" | "skipped";
  readonly seen: string;
  readonly repair?: string;
}

/** What one check came to. */
export type RouteResult = Omit<RouteCheck, "check">;
