import type { Millis } from "../gateway/domain/time.ts";

export interface HttpCall {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Wall time for the complete response. */
  readonly limit: Millis;
  /** Aborts the call early. */
  readonly signal?: AbortSignal;
}

export type HttpReply =
  | { readonly kind: "answered"; readonly status: number; readonly text: string }
  /** No complete response. `wasReached` says whether a connection was established, `isLate` whether the limit passed. */
  | { readonly kind: "silent"; readonly reason: string; readonly wasReached: boolean; readonly isLate?: true };

/** Sends one request and waits for the complete response. Never rejects. */
export type HttpCaller = (call: HttpCall) => Promise<HttpReply>;
