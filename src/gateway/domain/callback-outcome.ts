/** A callback URL that delivers to the receiver inside the sandbox. */
export const SINK_URL = "kredo:sink";

export interface CallbackUrl {
  readonly url: string;
  /** Whether this machine's owner set it (config, flag, variable, admin token), so that public hosts may be called. */
  readonly trusted: boolean;
}

/** What counts as not delivered. `not_200` is any answer other than 200, except redirects. */
export const RETRY_CAUSES = ["timed_out", "refused", "reset", "unresolved_name", "tls", "redirect", "not_200"] as const;
export type RetryCause = (typeof RETRY_CAUSES)[number];

/** The outcome of one attempt to deliver a callback. */
export type CallbackOutcome =
  | CallbackAnswer
  /** No status line within the limit. */
  | { readonly kind: "timed_out" }
  /** No connection. `reason` is set unless it was simply refused, for example if there is no route to the host. */
  | { readonly kind: "refused"; readonly reason?: string }
  /** The connection ended before an answer. `reason` is set if something other than HTTP arrived. */
  | { readonly kind: "reset"; readonly reason?: string }
  | { readonly kind: "unresolved_name" }
  /** A scenario closed the connection in the middle of the body. */
  | { readonly kind: "broken_off" }
  | { readonly kind: "tls"; readonly reason: string }
  /** Never sent: the rules for outgoing calls forbid it, or its URL or headers cannot be sent. */
  | { readonly kind: "blocked"; readonly reason: string }
  /** Given up because the sandbox stopped or the account was reset. */
  | { readonly kind: "abandoned" };

/** A status line arrived within the limit. `body` is the first 4 KB of what followed. */
export type CallbackAnswer =
  | { readonly kind: "answered"; readonly status: number; readonly body: string }
  /** A status from 300 to 399 with a Location header. Redirects are not followed. */
  | { readonly kind: "redirect"; readonly status: number; readonly location: string; readonly body: string };

/** Returns whether the receiver acknowledged the callback: HTTP 200 within the limit (document section 6, rule 2). */
export function isAcknowledged(outcome: CallbackOutcome): boolean {
  return outcome.kind === "answered" && outcome.status === 200;
}
