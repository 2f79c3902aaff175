/** The checks along a callback's route, in order. */
export const CHECKS = ["name", "tcp", "tls", "method", "access", "redirect", "answer", "time"] as const;

export type CheckResult =
  | { readonly verdict: "ok"; readonly seen: string }
  /** Works here, but may fail elsewhere or later. */
  | { readonly verdict: "warning"; readonly seen: string; readonly repair: string }
  | { readonly verdict: "failed"; readonly seen: string; readonly repair: string }
  /** Not reached, or not relevant here. */
  | { readonly verdict: "skipped"; readonly seen: string };

export type Check = CheckResult & { readonly check: (typeof CHECKS)[number] };

export function ok(seen: string): CheckResult {
  return { verdict: "ok", seen };
}

export function warn(seen: string, repair: string): CheckResult {
  return { verdict: "warning", seen, repair };
}

export function fail(seen: string, repair: string): CheckResult {
  return { verdict: "failed", seen, repair };
}

export function skip(seen: string): CheckResult {
  return { verdict: "skipped", seen };
}
