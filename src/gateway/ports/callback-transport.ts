import type { CallbackOutcome } from "../domain/callback-outcome.ts";
import type { Millis } from "../domain/time.ts";

/** One POST to a receiver. */
export interface CallbackRequest {
  /** An http or https URL. A user name and password in it are sent as Basic authentication. */
  readonly url: string;
  /** Whether public hosts may be called. */
  readonly trusted: boolean;
  /** All headers to send, including content-type. The transport adds those that frame the message, such as content-length. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Wall time from the start until the status line of the answer. */
  readonly timeout: Millis;
  /** An additional certificate authority to trust, as PEM text. */
  readonly ca?: string;
  /** Whether to accept any certificate. */
  readonly insecure: boolean;
}

export interface Delivered {
  readonly outcome: CallbackOutcome;
  /** Wall time until the status line arrived, or until it was clear that none would. */
  readonly millis: Millis;
}

/** Sends callbacks to receivers. */
export interface CallbackTransport {
  /** Tries once, never twice, and never rejects. Resolves to `abandoned` if the signal aborts. */
  deliver(request: CallbackRequest, signal: AbortSignal): Promise<Delivered>;
  /** Abandons callbacks in flight and closes every connection. */
  close(): Promise<void>;
}
