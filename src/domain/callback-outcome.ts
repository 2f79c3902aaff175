/** A callback URL that delivers to the receiver inside the sandbox. */
export const SINK_URL = "kredo:sink";

export interface CallbackUrl {
  readonly url: string;
  /** Set by the owner of this machine (config, flag, variable, admin token), so public hosts may be called. */
  readonly trusted: boolean;
}

/** What counts as not delivered; `not_200` is any answer but 200, redirects apart. */
export const RETRY_CAUSES = ["timed_out", "refused", "reset", "unresolved_name", "tls", "redirect", "not_200"] as const;
export type RetryCause = (typeof RETRY_CAUSES)[number];

/** What came of one try to deliver a callback. */
export type CallbackOutcome =
  | CallbackAnswer
  /** No status line within the limit. */
  | { readonly kind: "timed_out" }
  /** No connection; `reason` is there when it was not plainly refused: no route to the host, say. */
  | { readonly kind: "refused"; readonly reason?: string }
  /** The connection ended before an answer; `reason` is there when something came that is not HTTP. */
  | { readonly kind: "reset"; readonly reason?: string }
  | { readonly kind: "unresolved_name" }
  /** A scenario had the sandbox leave in the middle of the body. */
  | { readonly kind: "broken_off" }
  | { readonly kind: "tls"; readonly reason: string }
  /** Never sent: the rules for outgoing calls forbid it, or its URL or headers cannot be sent. */
  | { readonly kind: "blocked"; readonly reason: string }
  /** Given up by the sandbox itself: it stopped, or the account was reset. */
  | { readonly kind: "abandoned" };

/** A status line came within the limit; `body` is the first 4 KB of what followed it. */
export type CallbackAnswer =
  | { readonly kind: "answered"; readonly status: number; readonly body: string }
  /** A status from 300 to 399 with a Location, which is not followed. */
  | { readonly kind: "redirect"; readonly status: number; readonly location: string; readonly body: string };

/** Whether the receiver acknowledged as the document's section 6, rule 2 asks: HTTP 200, within the limit. */
export function isAcknowledged(outcome: CallbackOutcome): boolean {
  return outcome.kind === "answered" && outcome.status === 200;
}
