/** What there is to check on the way to a receiver, in its order. */
export const CHECKS = ["name", "tcp", "tls", "method", "access", "redirect", "answer", "time"] as const;

/** What one check came to. */
export type Judgement =
  | { readonly verdict: "well"; readonly seen: string }
  /** It works here; it may not elsewhere, or not for long. */
  | { readonly verdict: "doubtful"; readonly seen: string; readonly repair: string }
  | { readonly verdict: "failed"; readonly seen: string; readonly repair: string }
  /** It was not come to, or is not asked here. */
  | { readonly verdict: "skipped"; readonly seen: string };

export type Check = Judgement & { readonly check: (typeof CHECKS)[number] };

export function well(seen: string): Judgement {
  return { verdict: "well", seen };
}

export function doubt(seen: string, repair: string): Judgement {
  return { verdict: "doubtful", seen, repair };
}

export function fail(seen: string, repair: string): Judgement {
  return { verdict: "failed", seen, repair };
}

export function skip(seen: string): Judgement {
  return { verdict: "skipped", seen };
}
