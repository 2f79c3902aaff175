import type { CallbackOutcome } from "../domain/callback-outcome.ts";
import type { SendingManner } from "../scenario/effects/callback-flags.ts";
import type { Millis } from "../domain/time.ts";

/** One POST to a receiver. */
export interface CallbackRequest {
  /** An http or https URL; user name and password in it are sent as Basic authentication. */
  readonly url: string;
  /** Public hosts may be called. */
  readonly trusted: boolean;
  /** All headers to send, content-type among them; those that frame the message (content-length and the like) are the transport's. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Wall time from the start to the answer's status line. */
  readonly timeout: Millis;
  /** PEM text of a certificate authority to trust besides the usual ones. */
  readonly ca?: string;
  /** Accepts any certificate. */
  readonly insecure: boolean;
  /** Where a scenario spoils the sending: byte by byte over half of the limit, or gone in the middle of the body. */
  readonly manner?: SendingManner;
}

export interface Delivered {
  readonly outcome: CallbackOutcome;
  /** Wall time until the status line came, or until it was clear that none would. */
  readonly millis: Millis;
}

/** Sends callbacks to receivers. */
export interface CallbackTransport {
  /** Tries once, never twice, and never rejects; an aborted signal gives `abandoned`. */
  deliver(request: CallbackRequest, signal: AbortSignal): Promise<Delivered>;
  /** Abandons what is under way and closes every connection. */
  close(): Promise<void>;
}
